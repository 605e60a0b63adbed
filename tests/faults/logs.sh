# SPDX-License-Identifier: MIT
# Functions for tests of faults of logs: . "$srcdir/tests/faults/logs.sh" after faults.sh. Each
# prints errors after an attempt, in its directory.

# silent: checks for no message
silent()
{
	cat ../said
}

# sentence PATTERN: checks for one message that matches, besides the number of lost rows and the
# consequence of a missing ring file
sentence()
{
	local lost='^computeprof: ([0-9]+ (record was|records were) lost$|if this process)'

	[ "$(grep -vE "$lost" ../said | grep -cE -- "$1")" -eq 1 ] || echo "no sentence: $1"
	[ "$(grep -cvE "$lost" ../said)" -le 1 ] || cat ../said
}

# unprotected PATTERN: checks for exactly one message, about a missing ring file
unprotected()
{
	[ "$(grep -cE "^computeprof: if this process is killed, .*$1" ../said)" -eq 1 ] &&
		[ "$(wc -l <../said)" -eq 1 ] || cat ../said
}

# nothing_but PATTERN: checks the names of all files
nothing_but()
{
	ls -A | grep -vxE -- "$1"
}

# complete COUNT [LOG]...: checks that the log has all rows and otherwise only its header
complete()
{
	[ "$(rows "${@:2}")" -eq "$1" ] || echo "$(rows "${@:2}") rows of $1"
	torn "${2:-compute_profile.log}"
}

# torn LOG: checks that the last line is whole, and that every line is a row or a header line
torn()
{
	[ ! -s "$1" ] || [ -z "$(tail -c 1 "$1")" ] || echo "a torn line: $(tail -n 1 "$1")"
	[ ! -e "$1" ] || grep -vE '^(# |timestamp,|timestamp=\[ .* \] $)' "$1" | head -n 5
}

# lost: prints the number of rows that were reported as lost
lost()
{
	sed -n 's/^computeprof: \([0-9]*\) records* w[a-z]* lost$/\1/p' ../said | grep . || echo 0
}

# accounted COUNT [LOG]: checks that each row is in the log or reported as lost
accounted()
{
	local there

	there=$(rows "${@:2}")
	[ $((there + $(lost))) -eq "$1" ] || echo "$there rows and $(lost) lost are not $1"
	torn "${2:-compute_profile.log}"
}
