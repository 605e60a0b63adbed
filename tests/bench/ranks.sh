#!/bin/bash
# SPDX-License-Identifier: MIT
# ranks.sh [RANKS [RECORDS [AT_ONCE]]]: time and memory of merge for synthetic ranks, by default
# 1000 of 10^5 records, AT_ONCE (100) of which are on the disk at a time: 17 MB each. Their sums are
# merged at the end. Run it in the build directory.

ranks=${1:-1000} records=${2:-100000} at_once=${3:-100}
tool=${COMPUTEPROF:-$PWD/computeprof} make=$PWD/tests/app/timeline
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# measure WHAT ARGUMENT ...: runs merge, and prints time and memory
measure()
{
	python3 -c 'import resource, subprocess, sys, time
begin = time.monotonic()
failed = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%-22s %6.1f s, %6.1f s of processor time, %4.0f MiB%s" % (
    sys.argv[1], time.monotonic() - begin, used.ru_utime + used.ru_stime,
    used.ru_maxrss / 1024, ", failed" if failed else ""))' "$1" "$tool" merge "${@:2}"
}

"$make" make one.cptrace "$records" 1 || exit 1
for ((first = 0; first < ranks; first += at_once)); do
	count=$((ranks - first < at_once ? ranks - first : at_once))
	for ((i = first; i < first + count; i++)); do cp one.cptrace "rank$i.cptrace"; done
	measure "$count ranks" -o "sums$first.json" rank*.cptrace
	if [ $first = 0 ]; then
		measure "$count ranks, --records" --records -o all.cptrace rank*.cptrace
		rm -f all.cptrace
	fi
	rm -f rank*.cptrace
done
[ "$ranks" -le "$at_once" ] || measure "the sums of $ranks" sums*.json
