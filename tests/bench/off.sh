#!/bin/bash
# SPDX-License-Identifier: MIT
# off.sh [PAIRS [RUNS]]
# Measures the cost of the preloaded library when it is off: wall and CPU time of RUNS (1000) runs
# of `true`. It is compared with no preload and with an empty preloaded library, since the dynamic
# linker's own work for a preload is significant for `true`. PAIRS 0: only instructions are counted.

. "${srcdir:=.}/tests/bench/paired.sh"
library=${COMPUTEPROF_LIBRARY:?}
bench=${builddir:?}/tests/bench
pairs=${1:-7} runs=${2:-1000}
true=$(type -P true)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset COMPUTE_PROFILE CUDA_PROFILE OPENCL_PROFILE
# As installed: debugging information is not loaded, and stripping it is cheap.
strip -o library.so "$library" || exit 1

without() { "$bench/spawn" "$runs" "" "$true"; }
empty() { "$bench/spawn" "$runs" "$bench/.libs/empty.so" "$true"; }
ours() { "$bench/spawn" "$runs" "$scratch/library.so" "$true"; }

# instructions PRELOAD: user-space instructions of one run. They do not depend on the machine's
# load. The environment is searched, so its size matters.
instructions()
{
	env -i PATH="$PATH" LD_PRELOAD="$1" \
		valgrind --tool=callgrind --callgrind-out-file=/dev/null "$true" 2>&1 |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

report()
{
	local wall cpu a b cpu_a cpu_b

	read -r wall cpu a b cpu_a cpu_b <<<"$(paired "$pairs" "$2" "$3")"
	awk -v name="$1" -v wall="$wall" -v cpu="$cpu" -v a="$a" -v b="$b" -v runs="$runs" 'BEGIN {
		printf "%s: wall x%.3f (%.1f us, %.1f us a run), CPU x%.3f\n", name, wall,
			a / runs, b / runs, cpu }'
}

if [ "$pairs" -gt 0 ]; then
	without >/dev/null && ours >/dev/null && empty >/dev/null || exit 1
	report "empty library against none" without empty
	report "computeprof against none" without ours
	report "computeprof against empty library" empty ours
fi
if command -v valgrind >/dev/null; then
	echo "instructions: none $(instructions ""), empty library" \
		"$(instructions "$bench/.libs/empty.so"), computeprof" \
		"$(instructions "$scratch/library.so")"
fi
