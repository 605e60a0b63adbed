# SPDX-License-Identifier: MIT
# For shell tests that compare whole CUDA logs.

# Numbers of 16 hexadecimal digits exceed awk's precision. The lower 12 digits suffice for three
# days.
relative_program='
	function number(hex, value, i) {
		for (i = 5; i <= 16; i++)
			value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return value
	}
	function since(first, value) {
		return value >= first ? value - first : value - first + 2 ^ 48
	}
	function told(key, value) {
		if (key ~ /^gpu(start|end)timestamp$/ && value ~ /^[0-9a-f]+$/ &&
		    length(value) == 16) {
			if (!stamped++)
				stamp = number(value)
			return "+" since(stamp, number(value))
		}
		if (key == "timestamp" && value ~ /^[0-9]+\.[0-9][0-9][0-9]$/) {
			if (!timed++)
				moment = value
			return sprintf("+%d", value - moment + 0.5)
		}
		return value
	}
	/^# TIMESTAMPFACTOR [0-9a-f]+$/ { print $1, $2, "FACTOR"; next }
	/^(#|NV_)/ { print; next }
	!columns { columns = split($0, column, ","); print; next }
	/=\[ / {
		count = split($0, parts, / \] /)
		for (i = 1; i < count; i++) {
			at = index(parts[i], "=[ ")
			key = substr(parts[i], 1, at - 1)
			printf "%s=[ %s ] ", key, told(key, substr(parts[i], at + 3))
		}
		print parts[count]
		next
	}
	{
		count = split($0, cells, ",")
		for (i = 1; i <= count; i++)
			printf "%s%s", told(column[i], cells[i]), i < count ? "," : "\n"
	}'

# relative LOG: prints it with all clocks relative to the first row
relative()
{
	awk "$relative_program" "$1"
}

# gather: prints every log, each after its name
gather()
{
	local log

	for log in *.log; do
		printf '== %s\n' "$log"
		relative "$log"
	done
}

# golden NAME SCRIPT [NAME=VALUE]... PROGRAM PART...: compares all logs of the program (after
# fakecuda.sh) and its messages with tests/golden/cuda-NAME.log, which GOLDEN=update rewrites.
golden()
{
	local file=$srcdir/tests/golden/cuda-$1.log

	# No time may be before the start of the profiler, whose clock is not virtual. With an
	# emulator that is seconds from now.
	profiled "clock=virtual base=$(($(date +%s%N) + 60000000000)) $2" "${@:3}"
	result $status "$1: the program ends as it should"
	gather >masked
	[ ! -s err ] || { echo "== said"; sed "s|$PWD/||g" err; } >>masked
	[ "${GOLDEN-}" != update ] || cp masked "$file"
	diff -u "$file" masked >difference
	result $? "$1: the logs are the golden ones"
	head -n 40 difference | sed 's/^/# /'
}
