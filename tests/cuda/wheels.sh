#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tests/cuda/wheels.sh BUILD [PACKAGE==VERSION]...
#
# Runs tests/cuda/real.test with the libcupti of each CUDA release from 11.8 to 13.5, as PyPI has
# them, on a machine without a driver: no program is harmed, its exit code and its output stay, and
# at most one sentence is printed. BUILD is a folder in which "make check" has run. Not part of
# "make check", since it needs the network, 600 MB and some minutes. The libraries are kept in
# COMPUTEPROF_WHEELS, or else in computeprof-wheels of XDG_CACHE_HOME or of ~/.cache; with
# COMPUTEPROF_WHEELS_OFFLINE=1 nothing is fetched. A release that is not there is skipped. At the
# end, a table has what was printed with each release.
#
# Exit code: 0 if no test failed, 77 if there was no release at all.

set -u
[ $# -gt 0 ] || {
	sed -n 's/^# \{0,1\}//; 3,15p' "$0"
	exit 2
}
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
builddir=$(cd "$1" && pwd) || exit 2
shift
[ $# -gt 0 ] || set -- nvidia-cuda-cupti-cu11==11.8.87 nvidia-cuda-cupti-cu12==12.0.146 \
	nvidia-cuda-cupti-cu12==12.6.80 nvidia-cuda-cupti-cu12==12.9.79 \
	nvidia-cuda-cupti==13.0.85 nvidia-cuda-cupti==13.1.115 nvidia-cuda-cupti==13.2.86 \
	nvidia-cuda-cupti==13.3.75 nvidia-cuda-cupti==13.4.92 nvidia-cuda-cupti==13.5.25
cache=${COMPUTEPROF_WHEELS:-${XDG_CACHE_HOME:-$HOME/.cache}/computeprof-wheels}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0 skipped=0

export srcdir builddir COMPUTEPROF="$builddir/computeprof"
export COMPUTEPROF_LIBRARY="$builddir/.libs/libcomputeprof.so"
export COMPUTEPROF_CONFIG_DIR="$srcdir/config"
COMPUTEPROF_SANITIZERS=$(sed -n 's/^SANITIZERS = *//p' "$builddir/Makefile")
export COMPUTEPROF_SANITIZERS COMPUTEPROF_TEST_SAYS="$work/says"
unset COMPUTE_PROFILE CUDA_PROFILE OPENCL_PROFILE CUDA_INJECTION64_PATH LD_PRELOAD

# library PACKAGE: prints the path of its libcupti, from the cache or the network; nothing if there
# is none
library()
{
	local folder=$cache/$1 found

	found=$(find "$folder" -name 'libcupti.so.*' 2>/dev/null | head -n 1)
	if [ -z "$found" ] && [ -z "${COMPUTEPROF_WHEELS_OFFLINE:-}" ]; then
		rm -rf "$work/wheel" && mkdir -p "$work/wheel" "$cache" || return
		python3 -m pip -q --disable-pip-version-check download --no-deps -d "$work/wheel" \
			"$1" >&2 && python3 -m zipfile -e "$work"/wheel/*.whl "$folder" || return
		found=$(find "$folder" -name 'libcupti.so.*' | head -n 1)
	fi
	echo "$found"
}

for package; do
	echo "== $package"
	COMPUTEPROF_TEST_CUPTI=$(library "$package")
	[ -n "$COMPUTEPROF_TEST_CUPTI" ] || {
		echo "skipped: it cannot be fetched"
		printf '%s\t-\tskipped\n' "$package" >>"$work/table"
		skipped=$((skipped + 1))
		continue
	}
	export COMPUTEPROF_TEST_CUPTI
	: >"$work/says"
	bash "$srcdir/tests/cuda/real.test" >"$work/output"
	cat "$work/output"
	bad=$(grep -c '^not ok' "$work/output")
	grep -q '^1\.\.' "$work/output" || bad="$bad, incomplete"
	[ "$bad" = 0 ] || failed=$((failed + 1))
	printf '%s\t%s\t%s\n' "$package" "$bad" "$(sed 's|/[^ ]*/||' "$work/says" | sort -u |
		paste -s -d ';')" >>"$work/table"
done
printf '== release\tfailed\tprinted, with the real libcupti\n'
cat "$work/table"
echo "== $failed of $# failed, $skipped skipped"
[ $skipped -lt $# ] || exit 77
[ $failed -eq 0 ]
