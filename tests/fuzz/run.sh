#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh FOLDER SECONDS JOBS TARGET...: called by make fuzz. Each target runs for SECONDS, JOBS at
# a time, on the corpus and on inputs of its own in FOLDER/TARGET/inputs, where new ones are kept.
# Findings are FOLDER/TARGET/crash-... and so on. Prints one line per target, and a summary as
# make check does. FUZZ_OPTIONS: more options for libFuzzer.

: "${srcdir:?}" "${builddir:?}" "${FUZZ_OPTIONS=}"
folder=$1 seconds=$2 jobs=$3
shift 3
case $folder in
/*) ;;
*) folder=$builddir/$folder ;;
esac

# statistic TARGET NAME: prints a number of libFuzzer's final statistics
statistic()
{
	sed -n "s/^stat::$2: *//p" "$folder/$1/log"
}

# fuzz TARGET: returns libFuzzer's exit code
fuzz()
{
	mkdir -p "$folder/$1/inputs" &&
		"$builddir/tests/fuzz/replay" --seeds "$1" "$folder/$1/inputs" || return
	rm -f "$folder/$1/status"
	corpus=$srcdir/tests/fuzz/corpus/$1
	[ -d "$corpus" ] || corpus= # its seeds are made
	case $1 in
	recover) longest=8192 ;; # pages of a ring file
	symbols) longest=16384 ;; # a small object
	ring) longest=2048 ;; # pieces of one
	trace) longest=4096 ;;
	config | database | log | unwind) longest=1024 ;; # some lines
	*) longest=512 ;; # names
	esac
	# shellcheck disable=SC2086 # a list of options
	"$builddir/tests/fuzz/fuzz_$1" -dict="$srcdir/tests/fuzz/$1.dict" -max_len=$longest \
		-reload=0 -timeout=20 -rss_limit_mb=1024 -max_total_time="$seconds" \
		-print_final_stats=1 -artifact_prefix="$folder/$1/" $FUZZ_OPTIONS \
		"$folder/$1/inputs" ${corpus:+"$corpus"} \
		>"$folder/$1/log" 2>&1
	echo $? >"$folder/$1/status"
	statistic "$1" number_of_executed_units >>"$folder/$1/executions"
}

# report TARGET: returns true if nothing was found
report()
{
	runs=$(statistic "$1" number_of_executed_units)
	rate=$(statistic "$1" average_exec_per_sec)
	all=$(awk '{ all += $1 } END { printf "%.0f", all }' "$folder/$1/executions")
	if [ "$(cat "$folder/$1/status")" = 0 ] && [ "${runs:-0}" -gt 0 ]; then
		echo "PASS: fuzz $1: $runs executions, $rate a second, $all in all"
		return 0
	fi
	echo "FAIL: fuzz $1: after ${runs:-0} executions, see $folder/$1/log"
	grep -E 'does not hold|ERROR:|runtime error:|Test unit written' "$folder/$1/log"
	return 1
}

running=
for target; do
	# shellcheck disable=SC2086 # a list of process ids
	while set -- $running && [ $# -ge "$jobs" ]; do
		wait "$1"
		shift
		running=$*
	done
	fuzz "$target" &
	running="$running $!"
	targets="$targets $target"
done
wait
passed=0 failed=0
for target in $targets; do
	if report "$target"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
echo "# PASS:  $passed"
echo "# FAIL:  $failed"
[ $failed -eq 0 ]
