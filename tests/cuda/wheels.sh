#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tests/cuda/wheels.sh BUILD [PACKAGE==VERSION]...
#
# Runs tests/cuda/real.test with the libcupti of older CUDA releases from pip, on a machine
# without a driver. BUILD is a folder in which "make check" has run. Not part of "make check",
# since it needs the network, 40 MB and a minute. Exit code: 0 if all passed.

set -u
[ $# -gt 0 ] || {
	sed -n 's/^# \{0,1\}//; 3,9p' "$0"
	exit 2
}
srcdir=$(cd "$(dirname "$0")/.." && pwd)
builddir=$(cd "$1" && pwd) || exit 2
shift
[ $# -gt 0 ] || set -- nvidia-cuda-cupti-cu11==11.8.87 nvidia-cuda-cupti-cu12==12.6.80 \
	nvidia-cuda-cupti-cu12==12.9.79
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

export srcdir builddir COMPUTEPROF="$builddir/computeprof"
export COMPUTEPROF_LIBRARY="$builddir/.libs/libcomputeprof.so"
export COMPUTEPROF_CONFIG_DIR="$srcdir/config"
COMPUTEPROF_SANITIZERS=$(sed -n 's/^SANITIZERS = *//p' "$builddir/Makefile")
export COMPUTEPROF_SANITIZERS
unset COMPUTE_PROFILE CUDA_PROFILE OPENCL_PROFILE CUDA_INJECTION64_PATH LD_PRELOAD

for package; do
	echo "== $package"
	if ! python3 -m pip -q --disable-pip-version-check download --no-deps -d "$work" \
		"$package" || ! python3 -m zipfile -e "$work"/*.whl "$work/$package"; then
		failed=$((failed + 1))
		continue
	fi
	rm -f "$work"/*.whl
	COMPUTEPROF_TEST_CUPTI=$(find "$work/$package" -name 'libcupti.so.*' | head -n 1)
	export COMPUTEPROF_TEST_CUPTI
	bash "$srcdir/tests/cuda/real.test" >"$work/output"
	cat "$work/output"
	if grep -q '^not ok' "$work/output" || ! grep -q '^1\.\.' "$work/output"; then
		failed=$((failed + 1))
	fi
done
echo "== $failed of $# failed"
[ $failed -eq 0 ]
