# SPDX-License-Identifier: MIT
# For shell tests that profile programs: . "$srcdir/tests/lib/tap.sh" first, then this. It makes the
# folder $scratch and removes it at the end.

library=${COMPUTEPROF_LIBRARY:?}
tool=${COMPUTEPROF:?}
app=${builddir:?}/tests/app
level=${COMPUTEPROF_TEST_LEVEL:-full}
needs_built "$library" "$tool"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# An instrumented library needs the runtime of its sanitizer before it in a program that has none.
preload=$library
case $COMPUTEPROF_SANITIZERS in
*address*) preload="$(gcc -print-file-name=libasan.so) $library" ;;
*thread*) preload="$(gcc -print-file-name=libtsan.so) $library" ;;
esac

# PoCL leaks, and the leak checker does not work under strace. The sanitizer unmaps the signal stack
# that it finds when a thread ends, even if LLVM has allocated it.
export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0:use_sigaltstack=0"

# needs_opencl PROGRAM...: skips everything without OpenCL, or without a device for it
needs_opencl()
{
	local program

	needs_part opencl
	needs_part libopencl
	for program; do
		needs_built "$builddir/$program"
	done
	"$builddir/$1" /dev/null 2>/dev/null </dev/null >"$scratch/device"
	[ $? -ne 77 ] || skip_all "there is no OpenCL device"
}

# differ A B: prints the lines that only one of the files has, for empty
differ()
{
	diff "$1" "$2" | head -n 20
}
