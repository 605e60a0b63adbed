# SPDX-License-Identifier: MIT
# Paired measurements: . "$srcdir/tests/bench/paired.sh". The machine's speed drifts, so two things
# are measured in turns, A B A B, each pair gives a ratio, and the median of the ratios counts.

# median: of the numbers on stdin, one a line
median()
{
	sort -g | awk '
		{ value[NR] = $1 }
		END { if (NR) print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

# paired PAIRS A B: A and B are functions that print two numbers (wall and CPU time) each. Prints
# "wall-ratio cpu-ratio wall-A wall-B cpu-A cpu-B", each one a median over all pairs.
paired()
{
	local pair a b field

	for ((pair = 0; pair < $1; pair++)); do
		# Each comes first in half of the pairs.
		if ((pair % 2)); then
			b=$($3) && a=$($2) || return 1
		else
			a=$($2) && b=$($3) || return 1
		fi
		echo "$a $b"
	done | awk '{ print $3 / $1, $4 / $2, $1, $3, $2, $4 }' >paired.txt
	for field in 1 2 3 4 5 6; do
		awk -v field=$field '{ print $field }' paired.txt | median
	done | paste -sd ' '
}
