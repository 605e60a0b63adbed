# SPDX-License-Identifier: MIT
# For the tests on a scripted driver (tests/fakes/opencl.h): a scratch directory, a loader that
# finds no other driver, and tests/app/launch with and without the profiler.

. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/scripted.sh"
launch=${builddir:?}/tests/app/launch
driver=$builddir/tests/fakes/.libs/opencl.so
library=${COMPUTEPROF_LIBRARY:?}
needs_part opencl
needs_part libopencl
needs_built "$launch" "$driver" "$library" "${COMPUTEPROF:?}"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
echo "$driver" >fake.icd
export OCL_ICD_VENDORS=$scratch/fake.icd LC_ALL=C.UTF-8
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS" # of the loader
[ "$(FAKE_OPENCL="platforms=2" "$launch" -n 1 -d 1)" = "queue properties 0" ] ||
	skip_all "the OpenCL loader does not take a driver from OCL_ICD_VENDORS"

# native SCRIPT OPTION ...: the program alone; its output is in the files native and err
native()
{
	FAKE_OPENCL=$1 "$launch" "${@:2}" >native 2>err </dev/null
	status=$?
}

# profiled SCRIPT OPTION ...: runs it with the profiler; its output is in out and err. $config is
# the text of the configuration file.
profiled()
{
	rm -f -- *.log
	printf '%s\n' "$config" >config
	FAKE_OPENCL=$1 LD_PRELOAD=$library COMPUTE_PROFILE=1 COMPUTE_PROFILE_CONFIG=config \
		"$launch" "${@:2}" >out 2>err </dev/null
	status=$?
}
config=

# rows [LOG]: prints its rows, with the times of this run masked
rows()
{
	grep 'method=\[' "${1:-compute_profile.log}" | sed -E \
		-e 's/(^| )(timestamp|cputime)=\[ [0-9]+\.[0-9]{3} \] /\1/g' \
		-e 's/(^| )gpu(start|end)timestamp=\[ [0-9a-f]{16} \] /\1/g'
}

all="gridsize
threadblocksize
localblocksize
stasmemperblock
regperthread
streamid
memtransfersize
memtransferdir
memtransferhostmemtype"

# copy GPUTIME STREAM SIZE DIRECTION [HOST_MEMORY]: prints its row
copy()
{
	printf 'method=[ memcopy ] gputime=[ %d.000 ] streamid=[ %d ] ' "$1" "$2"
	printf 'memtransfersize=[ %d ] memtransferdir=[ %d ] ' "$3" "$4"
	[ $# -lt 5 ] || printf 'memtransferhostmemtype=[ %d ] ' "$5"
	echo
}
