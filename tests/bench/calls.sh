#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures the instructions per OpenCL command on all threads, without the library and with the
# library preloaded but off, and the library's share: from 30000 additional commands of a process.
# The driver's own count varies slightly.

library=${COMPUTEPROF_LIBRARY:?}
load=${builddir:?}/tests/bench/load
for program in valgrind python3; do
	command -v $program >/dev/null || { echo "calls.sh: there is no $program" >&2; exit 1; }
done
unset COMPUTE_PROFILE CUDA_PROFILE OPENCL_PROFILE
export POCL_MAX_PTHREAD_COUNT=1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# run NAME PRELOAD COUNT: writes two numbers to the file NAME, all instructions and the library's
run()
{
	LD_PRELOAD=$2 valgrind --tool=callgrind --callgrind-out-file="$scratch/counted" \
		"$load" burst "$3" >"$scratch/said" 2>&1 || { cat "$scratch/said" >&2; exit 1; }
	sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/said" >"$scratch/$1"
	python3 "${srcdir:?}/tests/bench/ours.py" "$scratch/counted" | head -n 1 >>"$scratch/$1"
}

# of_command PRELOAD: prints both numbers per command
of_command()
{
	run few "$1" 10000
	run many "$1" 40000
	paste "$scratch/few" "$scratch/many" | awk '{ printf "%.1f ", ($2 - $1) / 30000 }'
}

run first "" 1000 # the driver keeps the kernel that it has compiled
read -r native _ < <(of_command "")
read -r off ours < <(of_command "$library")
echo "instructions of a command:" \
	"native ${native:?}, off ${off:?}, of which ours are ${ours:?}"
