# SPDX-License-Identifier: MIT
# For shell tests: . "$srcdir/tests/lib/tap.sh", then any number of these, then finish.

tap_count=0

# In bash: a script that calls a function which is not there ends with an error. It would leave out
# that assertion.
command_not_found_handle()
{
	echo "$1: command not found" >&2
	kill -s TERM $$
	return 127
}

# result STATUS DESCRIPTION: passed if STATUS is 0
result()
{
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
	else
		echo "not ok $tap_count - $2"
	fi
}

# empty TEXT DESCRIPTION: passed if TEXT, which lists what is wrong, is empty
empty()
{
	[ -z "$1" ]
	result $? "$2"
	[ -z "$1" ] || printf '%s\n' "$1" | sed 's/^/# /'
}

# has FILE PATTERN DESCRIPTION: checks for a line that matches the extended regular expression
has()
{
	empty "$(grep -qE -- "$2" "$1" || { echo "no line matches: $2"; cat "$1"; })" "$3"
}

# skip DESCRIPTION REASON
skip()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# skip_all REASON: ends the script, to be called before anything else
skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

# emulated: returns whether QEMU runs the programs of the build (tests/cross/emulated): they are of
# another processor than those of the machine
emulated()
{
	[ -n "${COMPUTEPROF_EMULATED-}" ]
}

# with PART: returns whether this build has it: cuda, opencl, sqlite, zlib, symbols, libclang, or
# libopencl, which OpenCL programs need
with()
{
	case " $COMPUTEPROF_WITH " in
	*" $1=yes "*) ;;
	*) return 1 ;;
	esac
}

# needs_part PART: skips everything if this build is without it
needs_part()
{
	with "$1" || skip_all "built without $1"
}

# needs_built FILE...: ends the script with an error if one is missing or empty, since the build
# makes them: a test that is skipped instead would pass with a broken build
needs_built()
{
	for built_file; do
		[ -s "$built_file" ] || {
			echo "Bail out! $built_file was not built"
			exit 1
		}
	done
}

# finish [LEAST]: ends the script, which fails if it has made less than LEAST assertions (1 at
# least): a loop over the output of a program that prints nothing makes none
finish()
{
	[ "$tap_count" -ge "${1:-1}" ] || result 1 "there are $tap_count of ${1:-1} assertions"
	echo "1..$tap_count"
}
