# SPDX-License-Identifier: MIT
# For the tests on scripted drivers (fake.sh, fakecuda.sh), which define native and profiled: the
# program alone and with the profiler.

# both SCRIPT ARGUMENT...: what the program sees must be the same, and neither it nor the fakes may
# complain. Says what is wrong.
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

# said SENTENCE DESCRIPTION: the profiler has said just that
said()
{
	is "$(cat err)" "computeprof: $1" "$2"
}
