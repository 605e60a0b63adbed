# SPDX-License-Identifier: MIT
# For tests of running totals, in a scratch directory: a list as the tool makes it, and functions.

printf '# computeprof: files of a run\n' >list
chmod 600 list
with_totals="COMPUTE_PROFILE_RING=log COMPUTEPROF_MANIFEST=$PWD/list"

# compare TRACE: compares the totals of the ring file in this directory, which is removed, with the
# trace, and prints the differences
compare()
{
	local ring

	for ring in *.ring; do
		"${builddir:?}/tests/app/ring_totals" "$ring" totals.cptrace || return
	done
	python3 "$srcdir/tests/lib/totals.py" "$1" totals.cptrace >compared 2>&1
	sed '$d' compared
}

# compared: prints the numbers of rows of the last comparison
compared()
{
	sed -n '$p' compared
}
