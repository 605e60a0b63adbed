# SPDX-License-Identifier: MIT
# For the tests of the CUDA fakes themselves, after fakecuda.sh: a client of CUPTI.

user=$builddir/tests/app/cuptiuser
needs_built "$user"
virtual="clock=virtual base=1000000"

# use WORDS STEP...: prints the output of the client and the messages of the fakes
use()
{
	FAKE_CUDA=$1 timeout -k 5 60 "$user" "${@:2}" 2>&1 </dev/null
	status=$?
	[ $status -eq 0 ] || echo $status
}

# lines LINE...
lines()
{
	printf '%s\n' "$@"
}

# short: prints the kind and the time stamps of each record
short()
{
	sed -E -e 's/^(memcpy|memset|peer) ([0-9]+) .* ([0-9]+-[0-9]+) .*/\1 \2 \3/' \
		-e 's/^(kernel [^ ]+ [0-9-]+) .*/\1/' -e 's/^context.*/context/' -e /^buffer/d
}
