#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh [PAIRS [COUNT]]
# The cost of profiling: COUNT (200000) empty kernels with a clFinish after each 1000, profiled
# against not. Once as it comes, and once on one core with one PoCL thread, where noise is least.

. "${srcdir:=.}/tests/bench/paired.sh"
library=${COMPUTEPROF_LIBRARY:?}
program=${builddir:?}/tests/bench/enqueue
pairs=${1:-7} count=${2:-200000}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

native() { "${pin[@]}" "$program" "$count"; }
profiled() { "${pin[@]}" env COMPUTE_PROFILE=1 LD_PRELOAD="$library" "$program" "$count"; }
csv() { "${pin[@]}" env COMPUTE_PROFILE=1 COMPUTE_PROFILE_CSV=1 LD_PRELOAD="$library" "$program" \
	"$count"; }

report()
{
	local wall cpu a b cpu_a cpu_b

	read -r wall cpu a b cpu_a cpu_b <<<"$(paired "$pairs" "$2" "$3")"
	echo "$1: wall x$wall ($a to $b ns a command), CPU x$cpu ($cpu_a to $cpu_b ns)"
}

pin=()
native >/dev/null && profiled >/dev/null || exit 1
echo "rows: $(grep -c 'method=\[ empty' compute_profile.log), of them without a gputime:" \
	"$(grep 'method=\[ empty' compute_profile.log | grep -vc gputime=)"
report "as it comes, against itself" native native
report "as it comes" native profiled
report "as it comes, CSV" native csv
pin=(taskset -c 0 env POCL_MAX_PTHREAD_COUNT=1)
report "one core, against itself" native native
report "one core" native profiled
report "one core, CSV" native csv
