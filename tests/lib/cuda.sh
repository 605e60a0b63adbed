# SPDX-License-Identifier: MIT
# For shell tests that profile CUDA programs: . "$srcdir/tests/lib/tap.sh" and host.sh first, then
# this.

needs_part cuda

# profiled [NAME=VALUE]... PROGRAM [ARGUMENT]...: its output is in log.out and log.err, its logs in
# the folder logs. The status is the program's.
profiled()
{
	rm -rf logs && mkdir logs
	timeout -k 5 60 env LD_PRELOAD="$preload" COMPUTE_PROFILE=1 \
		COMPUTE_PROFILE_LOG="$scratch/logs/log.%p" "$@" >log.out 2>log.err </dev/null
}

# both [NAME=VALUE]... PROGRAM [ARGUMENT]...: runs it without the profiler (plain.out, plain.err)
# and with it. Prints the differences, except for one message of the profiler on stderr.
both()
{
	local plain log

	timeout -k 5 60 env "$@" >plain.out 2>plain.err </dev/null
	plain=$?
	profiled "$@"
	log=$?
	[ $log -eq $plain ] || echo "the exit code is $log, not $plain"
	differ plain.out log.out
	grep -v '^computeprof: ' log.err >log.others
	differ plain.err log.others
	grep '^computeprof: ' log.err >log.ours
	[ "$(wc -l <log.ours)" -le 1 ] || cat log.ours
}

# harmless NAME [NAME=VALUE]... PROGRAM [ARGUMENT]...: checks a program that makes no work for a GPU
harmless()
{
	empty "$(both "${@:2}"; ls logs)" "$1: unharmed, one sentence at most, and no log"
}

# rows LOG...: prints the rows without the unpredictable columns
rows()
{
	cat -- "$@" | sed -n -E '/^(timestamp=|method=)/{
		s/(timestamp|gputime|cputime|occupancy)=\[ [^]]* \] //g
		p
	}'
}

# find_cupti: prints the path of the real libcupti for the tests, or nothing
find_cupti()
{
	local root folder file

	if [ -n "$COMPUTEPROF_TEST_CUPTI" ]; then
		echo "$COMPUTEPROF_TEST_CUPTI"
		return
	fi
	for root in "$CUDA_HOME" "$CUDA_PATH" /usr/local/cuda; do
		for folder in lib64 extras/CUPTI/lib64; do
			for file in "$root/$folder"/libcupti.so.*[0-9]; do
				[ -n "$root" ] && [ -f "$file" ] && echo "$file" && return
			done
		done
	done
}
