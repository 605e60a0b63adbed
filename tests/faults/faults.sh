# SPDX-License-Identifier: MIT
# Functions for tests of faults in programs: . "$srcdir/tests/faults/faults.sh" first. Each runs a
# program without and with the profiler, and checks its rows.

. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/host.sh" || exit 1
! with opencl || ! with libopencl || needs_built "$builddir/tests/fakes/.libs/opencl.so"

# Variables of the profiled run only.
settings=()

# Seconds after which a program is killed; an emulator is ten times slower than the processor.
lifetime=60
! emulated || lifetime=240

# attempt LIMITS PROGRAM...: runs the program twice in a new folder after the shell commands LIMITS,
# first without the profiler, then with it; prints errors. Its messages are in said, its exit code
# in code. If PROGRAM is a tool like strace, the tool is preloaded, too, as in practice. Afterwards
# the current directory is that of the profiled run.
attempt()
{
	local limits=$1 native profiled

	shift
	cd "$scratch" && rm -rf native profiled && mkdir native profiled
	# The shell would print the signal that ended the program.
	{
		(cd native && eval "$limits" &&
			exec timeout -s KILL $lifetime "$@" >../native.out 2>../native.err)
		native=$?
		(cd profiled && eval "$limits" && exec timeout -s KILL $((2 * lifetime)) env \
			COMPUTE_PROFILE=1 "${settings[@]}" LD_PRELOAD="$preload" "$@" \
			>../profiled.out 2>../profiled.err)
		profiled=$?
	} 2>/dev/null
	echo $native >code
	[ $native -eq $profiled ] || echo "exit code $profiled instead of $native"
	differ native.out profiled.out
	grep '^computeprof:' profiled.err >said
	# Each message is printed once only.
	[ "$(wc -l <said)" -le "${sentences:-3}" ] || cat said
	[ -z "$(sort said | uniq -d)" ] || echo "said twice: $(sort said | uniq -d)"
	cd profiled || exit 1
}

rows()
{
	cat "${@:-compute_profile.log}" 2>/dev/null | grep -c '^timestamp=\[ .*method=\[ .* \] $'
}

# whole COUNT NAME: checks that all rows are in the log, and for no other output and no message
whole()
{
	empty "$([ "$(rows)" -eq "$1" ] || echo "$(rows) rows of $1"
		ls -A | grep -vxE 'compute_profile.log|file\.[0-9]+'
		cat ../said)" "$2: all rows, nothing else, and nothing to say"
}

# lossy COUNT NAME: checks that losses are reported, and that the rows in the log are whole
lossy()
{
	empty "$([ "$(rows)" -lt "$1" ] || echo "$(rows) rows of $1: nothing was lost"
		[ -s ../said ] || echo "nothing was said"
		[ ! -s compute_profile.log ] || [ -z "$(tail -c 1 compute_profile.log)" ] ||
			echo "a torn last line: $(tail -n 1 compute_profile.log)")" \
		"$2: it says so, and no line is torn"
	sed 's/^/# /' ../said
}

# For programs that number their commands (tests/app/numbered.h). Such a program prints "rows N" on
# stdout when N commands were made. These are its settings.
numbered()
{
	printf '%s\n' timestamp streamid memtransfersize >"$scratch/numbered.conf"
	settings=(COMPUTE_PROFILE_CONFIG="$scratch/numbered.conf")
}

# made [FILE]: prints the number of commands that the program has reported
made()
{
	awk '$1 == "rows" { sum += $2 } END { print sum + 0 }' "${1:-../profiled.out}"
}

# lines_of LOG...: prints the lines that are not rows, and missing or duplicate numbers, by log and
# queue. The log of a program that died before its header is empty.
lines_of()
{
	awk -v row='^timestamp=\\[ [0-9]+\\.[0-9][0-9][0-9] \\] .* \\] $' '
	function value(key,    at, rest) {
		at = index($0, " " key "=[ ")
		rest = substr($0, at + length(key) + 4)
		return at ? substr(rest, 1, index(rest, " ]") - 1) : ""
	}
	function wrong(text) { if (++mistakes < 10) print FILENAME ":" FNR ": " text ": " $0 }
	/^# / { if (FNR > 9) wrong("a second header"); next }
	/^timestamp,/ { next }
	$0 !~ row { wrong("not a row"); next }
	{
		queue = FILENAME " " value("streamid")
		number[queue] = number[queue] % 65536 + 1
		if (value("memtransfersize") != number[queue])
			wrong("number " number[queue] " of its queue is missing")
		number[queue] = value("memtransfersize")
	}' "$@" /dev/null
	for log; do
		[ -z "$(tail -c 1 "$log")" ] || echo "$log: the last line has no end"
	done
}

# kept [COUNT]: prints errors unless each of the COUNT commands that the program has reported is one
# row, in one of its logs, in order; and unless there is no other output and no message, except
# about another name of a log
kept()
{
	local logs count=${1:-$(made)}

	logs=$(ls | grep '\.log$')
	[ "$count" -gt 0 ] || echo "the program made nothing"
	[ "$(rows $logs)" -eq "$count" ] || echo "$(rows $logs) rows of $count"
	lines_of $logs
	ls -A | grep -v '\.log$'
	grep -v 'is taken, writing' ../said
}

# recovered [COUNT]: prints errors after the tool has finished the logs
recovered()
{
	ls | grep -q '\.ring$' || echo "there is nothing to recover"
	"$tool" recover . >../report 2>&1 || cat ../report
	kept "$@"
}

# at_least: as kept, if other threads continued after the program had counted
at_least()
{
	local count logs

	count=$(made ../profiled.err)
	logs=$(ls | grep '\.log$')
	[ "$count" -gt 0 ] || echo "the program made nothing"
	[ "$(rows $logs)" -ge "$count" ] || echo "$(rows $logs) rows of at least $count"
	lines_of $logs
	ls -A | grep -v '\.log$'
	cat ../said
}

. "$srcdir/tests/lib/fake_driver.sh"
emulated_driver
