# SPDX-License-Identifier: MIT
# For tests of what may befall a log: . "$srcdir/tests/faults/logs.sh" after faults.sh. After an
# attempt, in its directory, each of these prints what is wrong.

# silent: nothing was said
silent()
{
	cat ../said
}

# sentence PATTERN: one sentence that matches was said, and else only how many rows were lost
sentence()
{
	local lost='^computeprof: [0-9]+ records were lost$'

	[ "$(grep -vE "$lost" ../said | grep -cE -- "$1")" -eq 1 ] || echo "no sentence: $1"
	[ "$(grep -cvE "$lost" ../said)" -le 1 ] || cat ../said
}

# nothing_but PATTERN: all files are named so
nothing_but()
{
	ls -A | grep -vxE -- "$1"
}

# complete COUNT [LOG]...: the log has all rows and only its header beside them
complete()
{
	[ "$(rows "${@:2}")" -eq "$1" ] || echo "$(rows "${@:2}") rows of $1"
	torn "${2:-compute_profile.log}"
}

# torn LOG: its last line is whole, and every line is a row or of the header
torn()
{
	[ ! -s "$1" ] || [ -z "$(tail -c 1 "$1")" ] || echo "a torn line: $(tail -n 1 "$1")"
	[ ! -e "$1" ] || grep -vE '^(# |timestamp,|timestamp=\[ .* \] $)' "$1" | head -n 5
}

# lost: how many rows were said to be lost
lost()
{
	sed -n 's/^computeprof: \([0-9]*\) records were lost$/\1/p' ../said | grep . || echo 0
}

# accounted COUNT [LOG]: some rows are in the log, the others are said to be lost
accounted()
{
	local there

	there=$(rows "${@:2}")
	[ $((there + $(lost))) -eq "$1" ] || echo "$there rows and $(lost) lost are not $1"
	torn "${2:-compute_profile.log}"
}
