# SPDX-License-Identifier: MIT
# For the tests on the scripted CUDA driver and libcupti (tests/fakes/cuda.h): first tap.sh, then
# host.sh, then this. Programs find the driver in the folder driver of $scratch.

. "$srcdir/tests/lib/scripted.sh"
fakes=${builddir:?}/tests/fakes
needs_built "$fakes/.libs/libcuda.so.1" "$fakes/.libs/libcupti.so.13" \
	"$fakes"/cupti{132,133}/.libs/libcupti.so.13 "$fakes"/cupti{12,126}/.libs/libcupti.so.12 \
	"$fakes/cupti8/.libs/libcupti.so.8"
mkdir driver && ln -s "$fakes/.libs/libcuda.so.1" driver
export LD_LIBRARY_PATH=$scratch/driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LC_ALL=C.UTF-8
config=

# cupti 8|12|126|13|132|133: the libcupti that is there from now on; 126 is 12.6 Update 2, 12 is
# older, 132 is 13.2
cupti()
{
	case $1 in
	13) COMPUTEPROF_CUPTI=$fakes/.libs/libcupti.so.13 ;;
	126) COMPUTEPROF_CUPTI=$fakes/cupti126/.libs/libcupti.so.12 ;;
	132 | 133) COMPUTEPROF_CUPTI=$fakes/cupti$1/.libs/libcupti.so.13 ;;
	*) COMPUTEPROF_CUPTI=$fakes/cupti$1/.libs/libcupti.so.$1 ;;
	esac
	export COMPUTEPROF_CUPTI
}
cupti 13

# native SCRIPT PROGRAM [ARGUMENT]...: the program alone; its output is in the files native and err
native()
{
	FAKE_CUDA=$1 timeout -k 5 200 env "${@:2}" >native 2>err </dev/null
	status=$?
}

# profiled SCRIPT PROGRAM [ARGUMENT]...: runs it with the profiler; its output is in out and err,
# its log in compute_profile.log. $config is the text of the configuration file.
profiled()
{
	rm -f -- *.log
	printf '%s\n' "$config" >config
	FAKE_CUDA=$1 timeout -k 5 200 env LD_PRELOAD="$preload" COMPUTE_PROFILE=1 \
		COMPUTE_PROFILE_CONFIG=config "${@:2}" >out 2>err </dev/null
	status=$?
}

# rows [LOG]: prints its rows
rows()
{
	grep 'method=\[' "${1:-compute_profile.log}"
}
