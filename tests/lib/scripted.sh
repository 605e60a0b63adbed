# SPDX-License-Identifier: MIT
# For the tests with scripted drivers (fake.sh, fakecuda.sh), which define native and profiled:
# run the program alone and with the profiler.

# both SCRIPT ARGUMENT...: prints errors unless the program's output is the same with the
# profiler, and neither the program nor the fakes report an error
both()
{
	native "$@"
	[ $status -eq 0 ] && [ ! -s err ] || { echo "alone: exit code $status"; cat err; }
	profiled "$@"
	[ $status -eq 0 ] || echo "profiled: exit code $status"
	grep -v '^computeprof: ' err
	diff native out
}

# is ACTUAL EXPECTED DESCRIPTION
is()
{
	empty "$([ "$1" = "$2" ] || printf 'got:\n%s\nwanted:\n%s\n' "$1" "$2")" "$3"
}

# said SENTENCE DESCRIPTION: checks that this is the profiler's only message
said()
{
	is "$(cat err)" "computeprof: $1" "$2"
}
