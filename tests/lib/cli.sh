# SPDX-License-Identifier: MIT
# For the tests of the tool: a scratch directory as working directory, and shared checks.

. "$srcdir/tests/lib/tap.sh"
tool=${COMPUTEPROF:?}
pretend=${builddir:?}/tests/app/simulated
needs_built "$tool" "${COMPUTEPROF_LIBRARY:?}" "$pretend"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir tmp
export TMPDIR=$scratch/tmp LC_ALL=C.UTF-8
unset COLUMNS

# A loadable library other than the profiler's.
other_library=$(ldd /bin/sh | sed -n 's/.*=> \(.*\)libc\.so[^ ]*.*/\1libm.so.6/p')
! emulated || other_library=/lib/libm.so.6

# A library with a sanitizer in it cannot be loaded into a program without one. An empty one of its
# name can.
if [ -n "$COMPUTEPROF_SANITIZERS" ]; then
	mkdir lib && ${CC:-cc} -shared -nostdlib -Wl,-soname=libcomputeprof.so -x c /dev/null \
		-o lib/libcomputeprof.so
	export COMPUTEPROF_LIBRARY=$scratch/lib/libcomputeprof.so
fi
library=${COMPUTEPROF_LIBRARY:?}

# run COMMAND ...: its exit code is in $status, its output in the files out and err
run()
{
	"$@" >out 2>err </dev/null
	status=$?
}

# is ACTUAL EXPECTED DESCRIPTION
is()
{
	empty "$([ "$1" = "$2" ] || printf 'got:    %s\nwanted: %s\n' "$1" "$2")" "$3"
}

# rows LOG: prints the number of rows
rows()
{
	grep -c 'method=\[' "$1"
}

# alone COMMAND ...: runs it with its own empty /dev/shm, without other processes' ring files;
# without a command, returns whether that is possible
alone()
{
	local way

	for way in -m -rm; do
		unshare $way mount -t tmpfs none /dev/shm 2>/dev/null || continue
		unshare $way sh -c 'mount -t tmpfs none /dev/shm && exec "$@"' sh "${@:-true}"
		return
	done
	return 1
}
