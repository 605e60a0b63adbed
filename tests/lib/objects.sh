# SPDX-License-Identifier: MIT
# For tests of the symbols in the objects of the library and of the tool, after tap.sh.

command -v nm >/dev/null || skip_all "no nm"
[ -z "$COMPUTEPROF_SANITIZERS" ] || skip_all "built with -fsanitize=$COMPUTEPROF_SANITIZERS"

# Prints the global symbols of each source that was built, one per line: "SOURCE SYMBOL KIND",
# SOURCE without src/ and .c, KIND U for a used and D for a defined one. Objects of sources that do
# not exist any more are left out.
symbols()
{
	sources=$(mktemp) || exit 1
	(cd "$srcdir/src" && find . -name '*.c') >"$sources"
	(cd "$builddir/src" && find . -path '*/.libs/*.o' -exec nm -A -g -P {} +) | awk '
		FNR == NR {
			there[substr($0, 3, length($0) - 4)] = 1
			next
		}
		{
			source = substr($1, 3, length($1) - 5)
			sub(/\.libs\/(lib[a-z]*_la-)?/, "", source)
			if (!(source in there))
				next
			if ($3 == "U")
				print source, $2, "U"
			else if ($3 ~ /^[A-TV-Z]$/)
				print source, $2, "D"
		}' "$sources" -
	rm -f "$sources"
}
