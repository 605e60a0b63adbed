# SPDX-License-Identifier: MIT
# For tests that profile OpenCL programs: . "$srcdir/tests/lib/opencl.sh" after tap.sh. From then on
# the current directory is a scratch directory, $apps has the programs, and these functions exist:

apps=${builddir:=.}/tests/app
odd_layer=$apps/.libs/altering_layer.so
every_option="gridsize3d threadblocksize localblocksize stasmemperblock regperthread streamid \
memtransfersize memtransferdir memtransferhostmemtype"
time_keys='timestamp|gpustarttimestamp|gpuendtimestamp|gputime|cputime'

# PoCL executes a linker, which has no sanitizer's runtime of its own.
preload=$COMPUTEPROF_LIBRARY
case $COMPUTEPROF_SANITIZERS in
*thread*) preload="$(gcc -print-file-name=libtsan.so) $preload" ;;
esac

# plain PROGRAM [ARGUMENT]...: runs a test program without the profiler; stdout and stderr are in
# plain.out and plain.err, the exit code in $code
plain()
{
	timeout -k 5 120 env "$@" >plain.out 2>plain.err
	code=$?
}

# profiled NAME=VALUE... PROGRAM [ARGUMENT]...: the same with the profiler, in log.out, log.err.
# If a signal ends it, the end of log.err is printed.
profiled()
{
	timeout -k 5 120 env LD_PRELOAD="$preload" COMPUTE_PROFILE=1 "$@" \
		>log.out 2>log.err
	code=$?
	[ $code -le 128 ] || tail -n 5 log.err | cut -c 1-300 | sed "s/^/# exit code $code: /"
}

# rows LOG: prints its rows, which are key and value pairs, without the times
rows()
{
	sed -E -e '/^(#|NV_|timestamp,|gpustarttimestamp,|method,)/d' \
		-e "s/($time_keys)=\[ [^]]* \] //g" "$1"
}

# count LOG...: prints the number of rows in all of them
count()
{
	cat -- "$@" 2>/dev/null | grep -c 'method=\['
}

# expected FILE: prints the sum of its lines "rows N"
expected()
{
	awk '$1 == "rows" { sum += $NF } END { print sum + 0 }' "$1"
}

# same TEXT TEXT DESCRIPTION: passed if they are equal, otherwise prints the difference
same()
{
	[ "$1" = "$2" ]
	result $? "$3"
	[ "$1" = "$2" ] || diff <(printf '%s\n' "$1") <(printf '%s\n' "$2") | head -n 20 |
		sed 's/^/# /'
}

# fresh: removes the files of an earlier run
fresh()
{
	rm -rf -- "$scratch"/*
}

# PoCL leaks, some programs release nothing on purpose, and the leak checker crashes in its threads.
export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
# The thread sanitizer does not see the synchronization in the driver's own code.
export TSAN_OPTIONS="$TSAN_OPTIONS:ignore_noninstrumented_modules=1:atexit_sleep_ms=0"
needs_part opencl
needs_part libopencl
needs_built "$COMPUTEPROF_LIBRARY" "${COMPUTEPROF:?}" "$apps/every" \
	"$builddir/tests/fakes/.libs/opencl.so"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
plain "$apps/devices" process
[ "$code" -ne 77 ] || skip_all "there is no OpenCL device here"
