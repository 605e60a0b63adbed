# SPDX-License-Identifier: MIT
# For tests of "computeprof top", after cli.sh: programs that it watches, and a terminal (tmux).

export COMPUTE_PROFILE=1 COMPUTE_PROFILE_TOTALS=1 COMPUTE_PROFILE_LOG=$scratch/log.%p
ulimit -c 0

# begin HOLD ARGUMENT...: starts the simulated program, which has made its first records when the
# file HOLD is there, and goes on when it is removed; sets $pid
begin()
{
	local hold=$1

	rm -f "$hold"
	"$pretend" "${@:2}" >/dev/null 2>>programs.err &
	pid=$!
	until [ -e "$hold" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
}

# within SECONDS COMMAND...: waits until it succeeds
within()
{
	local tries=$(($1 * 20))

	until "${@:2}" >/dev/null 2>&1; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.05
	done
}

# last FILE: prints the last reading
last()
{
	awk '/^computeprof top/ { text = "" }
		{ text = text $0 "\n" }
		END { printf "%s", text }' "$1"
}

# watch PREFIX OPTION...: starts top as $top, until it has printed once
watch()
{
	: >top.out
	$1 "$tool" top -b "${@:2}" >top.out 2>top.err &
	top=$!
	within 20 grep -q '^computeprof top' top.out
}

export TMUX_TMPDIR=$scratch
terminal()
{
	tmux -L top "$@"
}
trap 'terminal kill-server 2>/dev/null; rm -rf "$scratch"' EXIT

# screen: prints what the terminal shows
screen()
{
	terminal capture-pane -p
}

shows()
{
	screen | grep -qE -- "$1"
}

# shown PATTERN DESCRIPTION: waits for a line that matches
shown()
{
	empty "$(within 15 shows "$1" || { echo "no line matches: $1"; screen; })" "$2"
}

# modes: prints whether the alternate screen, the cursor and wrapping are on
modes()
{
	terminal display-message -p '#{alternate_on} #{cursor_flag} #{wrap_flag}'
}

# keys KEY...
keys()
{
	terminal send-keys "$@"
}

# is_shell: returns whether the shell has the terminal again
is_shell()
{
	[ "$(terminal display-message -p '#{pane_current_command}')" = bash ]
}

# type_top [PREFIX [OPTION]]: on the terminal. The modes that top leaves are in the file after: the
# shell with the prompt sets its own.
type_top()
{
	rm -f after
	keys -l "clear; sh -c 'trap : INT; $1 $tool top $2 $scratch; echo code \$?; stty -a >after'"
	keys Enter
}

# start_top: the same, until it has drawn
start_top()
{
	type_top
	within 15 shows '^q quit'
}

# restored CODE DESCRIPTION: the terminal is as it was, and top has ended with this code
has_ended()
{
	shows "^code $1$" && [ "$(modes)" = "0 1 1" ] && [ -s after ]
}
restored()
{
	within 15 has_ended "$1"
	is "$(shows "^code $1$" && echo ended; modes; cat after)" "ended
0 1 1
$(cat before)" "$2"
}

# open_terminal: with a shell, whose modes are in the file before, and that prints "ready"
open_terminal()
{
	# The search for leaks stops the process, and does not end if the terminal is closed.
	export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
	terminal -f /dev/null new-session -d -x 90 -y 24 'exec bash --norc --noprofile'
	tty=$(terminal display-message -p '#{pane_tty}')
	keys "PS1='ready '; ulimit -c 0; sh -c 'stty -a >before'" Enter
	within 15 shows '^ready'
}
