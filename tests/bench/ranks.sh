#!/bin/bash
# SPDX-License-Identifier: MIT
# ranks.sh [RANKS [RECORDS [AT_ONCE]]]: time and memory of merge for synthetic ranks, by default
# 1000 of 10^5 records, AT_ONCE (100) of which are on the disk at a time: 17 MB each. Their sums are
# merged at the end. Where there is computeprof-mpi, it does the same with 1 and 2 ranks; the memory
# is that of the largest process, which may be mpirun. Run it in the build directory.

ranks=${1:-1000} records=${2:-100000} at_once=${3:-100}
tool=${COMPUTEPROF:-$PWD/computeprof} make=$PWD/tests/app/timeline mpi=$PWD/computeprof-mpi
mpirun=${MPIRUN:-mpirun}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# measure WHAT COMMAND ...: prints time and memory
measure()
{
	python3 -c 'import resource, subprocess, sys, time
begin = time.monotonic()
failed = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%-25s %6.1f s, %6.1f s of processor time, %4.0f MiB%s" % (
    sys.argv[1], time.monotonic() - begin, used.ru_utime + used.ru_stime,
    used.ru_maxrss / 1024, ", failed" if failed else ""))' "$@"
}

# with_mpi WHAT ARGUMENT ...: measures computeprof-mpi
with_mpi()
{
	local count

	[ ! -x "$mpi" ] || for count in 1 2; do
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
			measure "$1, mpirun -n $count" "$mpirun" -n $count "$mpi" "${@:2}"
	done
}

"$make" make one.cptrace "$records" 1 || exit 1
# The process id, 4242. A copy of a process counts once, so each rank gets another id.
at=$(LC_ALL=C grep -obUaP '\x92\x10\0\0' one.cptrace | head -n 1 | cut -d : -f 1)

# copy RANK: makes its trace
copy()
{
	local id=$((5000 + $1))

	cp one.cptrace "rank$1.cptrace" &&
		printf "\\x$(printf %02x $((id & 255)))\\x$(printf %02x $((id >> 8)))" |
		dd of="rank$1.cptrace" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

for ((first = 0; first < ranks; first += at_once)); do
	count=$((ranks - first < at_once ? ranks - first : at_once))
	for ((i = first; i < first + count; i++)); do copy $i; done
	measure "$count ranks" "$tool" merge -o "sums$first.json" rank*.cptrace
	with_mpi "$count ranks" rank*.cptrace
	if [ $first = 0 ]; then
		measure "$count ranks, --records" \
			"$tool" merge --records -o all.cptrace rank*.cptrace
		rm -f all.cptrace
	fi
	rm -f rank*.cptrace
done
[ "$ranks" -le "$at_once" ] || measure "the sums of $ranks" "$tool" merge sums*.json
