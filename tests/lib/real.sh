# SPDX-License-Identifier: MIT
# For tests with third-party programs, after tap.sh and host.sh: with the profiler they print the
# same as without it, and end with the same exit code. The log has as many kernels, copies and fills
# as a layer of the tests has counted between the program and the profiler.
#
# Measurements differ between any two runs, and are masked by mask() in both outputs.

needs_opencl tests/app/demo
layer=$app/.libs/countlayer.so
needs_built "$layer"
[ -z "$COMPUTEPROF_SANITIZERS" ] || skip_all "these programs have no sanitizers"
# hashcat runs once for each folder of data.
export HOME=$scratch/home XDG_CACHE_HOME=$scratch/cache XDG_DATA_HOME=$scratch/data
export PYTHONDONTWRITEBYTECODE=1
mkdir "$HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME"

# Numbers with a unit of time or speed, clpeak's and hashcat's figures, dates, temporary files,
# values of PoCL that depend on free memory, and the results of hashcat's search for the fastest
# launch.
mask()
{
	sed -E -e 's/\x1b\[[0-9;]*m//g' \
		-e 's/^( +(Global memory size|Max memory allocation) +).*/\1N/' \
		-e 's/(Execution (wall time|gflops): ).*/\1N/' \
		-e 's/^( +(enqueue|memcpy )[^:]*: ).*/\1N/' \
		-e 's/(Kernel launch latency : ).*/\1N/' \
		-e 's/^(Speed\.#[0-9]+\.*: ).*/\1N/' \
		-e 's/^(Started|Stopped): .*/\1: N/' \
		-e 's/, [0-9]+\/[0-9]+ MB/, N\/N MB/' \
		-e 's/ +[0-9.]+ ms \|/ N ms |/g' -e 's/\| +[0-9.]+ \|/| N |/g' \
		-e 's/^(\* (Got average|Found best) result) .*/\1 N/' \
		-e 's/^(\* Best parameters: PRECISION=[0-9]+).*/\1 N/' \
		-e 's/ in [0-9.]+s( \([0-9:]+\))?/ in N s/' \
		-e 's/[0-9.]+ ?([mun]?s|sec|seconds|G?FLOPS|[GM]B\/s)\b/N \1/g' \
		-e 's|/tmp/[^ ]*|/tmp/N|g' "$1"
}

# sum FIELD: prints the sum over all processes of the count file
sum()
{
	awk -v field="$1" '{ sum += $field } END { print sum + 0 }' count
}

# rows WORD...: counts the rows of all logs whose method is (for "kernel": is not) that word
rows()
{
	cat log.* 2>/dev/null | awk -v kind="$1" '
		/method=\[ / {
			method = $0
			sub(/.*method=\[ /, "", method)
			sub(/ .*/, "", method)
			is = method == "memcopy" || method == "memset" ? method : "kernel"
			rows += is == kind
		}
		END { print rows + 0 }'
}

# compare NAME PROGRAM...: makes three assertions
compare()
{
	local name=$1 native profiled counted logged

	shift
	rm -rf run && mkdir run && cd run || exit 1
	timeout 300 "$@" >native.out 2>native.err </dev/null
	native=$?
	rm -f count log.*
	timeout 300 env COUNT_FILE="$PWD/count" OPENCL_LAYERS="$library:$layer" COMPUTE_PROFILE=1 \
		COMPUTE_PROFILE_LOG="$PWD/log.%p" LD_PRELOAD="$library" \
		"$@" >profiled.out 2>profiled.err </dev/null
	profiled=$?
	[ $profiled -eq $native ]
	result $? "$name: exit code $profiled as without us, $native"
	mask native.out >native.masked
	mask profiled.out >profiled.masked
	empty "$(differ native.masked profiled.masked)" "$name: the same $(wc -l <native.out) lines"
	counted="$(sum 2) kernels, $(sum 3) copies, $(sum 4) fills"
	logged="$(rows kernel) kernels, $(rows memcopy) copies, $(rows memset) fills"
	[ "$counted" = "$logged" ] && [ -s count ]
	result $? "$name: $counted, and as many rows"
	[ "$counted" = "$logged" ] || echo "# but logged: $logged"
	[ ! -s profiled.err ] || grep '^computeprof:' profiled.err | sed 's/^/# /'
	cd ..
}

# program NAME COMMAND PROGRAM...: as compare, if COMMAND is installed
program()
{
	if type -P "$2" >/dev/null; then
		compare "$1" "${@:3}"
	else
		skip "$1" "$2 is not installed"
	fi
}
