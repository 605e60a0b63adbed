# SPDX-License-Identifier: MIT
# For tests of Python programs: sets $pythons to an interpreter of each version whose frames are
# known: Debian's, and those of pyenv. At the quick level the oldest and the newest.

pythons=$(
	for python in /usr/bin/python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
		version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' \
			2>/dev/null) || continue
		case $version in
		3.1[0-3]) echo "$version $python" ;;
		esac
	done | sort -u -k 1,1 -s | cut -d ' ' -f 2
)
[ "${COMPUTEPROF_TEST_LEVEL:-full}" != quick ] ||
	pythons=$(sed -n '1p; $p' <<<"$pythons" | uniq)
