#!/bin/bash
# SPDX-License-Identifier: MIT
# Instructions of an OpenCL command, all threads, without any tool and preloaded but not asked for
# anything: what 30000 commands more cost the process. The driver's own vary by a few.

library=${COMPUTEPROF_LIBRARY:?}
load=${builddir:?}/tests/bench/load
unset COMPUTE_PROFILE CUDA_PROFILE OPENCL_PROFILE
export POCL_MAX_PTHREAD_COUNT=1

# instructions PRELOAD COUNT: of the process
instructions()
{
	LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"$load" burst "$2" 2>&1 >/dev/null | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# of_command PRELOAD
of_command()
{
	few=$(instructions "$1" 10000)
	awk -v few="$few" -v many="$(instructions "$1" 40000)" 'BEGIN {
		printf "%.0f", (many - few) / 30000 }'
}

instructions "" 1000 >/dev/null # the driver keeps the kernel that it has compiled
echo "instructions of a command: native $(of_command ""), off $(of_command "$library")"
