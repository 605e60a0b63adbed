# SPDX-License-Identifier: MIT
# For tests with the scripted driver in the place of PoCL, after host.sh.

# fake_driver: from here on programs have a driver that can be called in a signal handler, in a
# forked child, and by threads that are cancelled
fake_driver()
{
	with opencl && with libopencl || return
	echo "$builddir/tests/fakes/.libs/opencl.so" >"$scratch/fake.icd"
	export OCL_ICD_VENDORS=$scratch/fake.icd FAKE_OPENCL=leaks
	# A loader that does not support the variable finds the machine's own driver.
	FAKE_OPENCL="leaks platforms=2" "$app/launch" -n 1 -d 1 >/dev/null 2>&1
}

# emulated_driver: chooses the scripted driver in QEMU: PoCL is of the machine's processor
emulated_driver()
{
	emulated && with opencl && with libopencl || return 0
	needs_built "$app/launch" "$builddir/tests/fakes/.libs/opencl.so"
	(fake_driver) || skip_all "the OpenCL loader takes no driver from OCL_ICD_VENDORS"
	fake_driver
}
