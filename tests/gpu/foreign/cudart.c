/* SPDX-License-Identifier: MIT */
/*
 * The two functions of the CUDA runtime that NVIDIA's sample profiling_injection uses, on any
 * driver. The real runtime cannot run on the fake one: it uses private functions of the driver.
 */

int cuCtxGetDevice(int *device);

__attribute__((visibility("default"))) int cudaGetDevice(int *device);
__attribute__((visibility("default"))) const char *cudaGetErrorString(int error);

/* As in the runtime, the device of a thread without a context is device 0. */
int cudaGetDevice(int *device)
{
	if (cuCtxGetDevice(device))
		*device = 0;
	return 0;
}

const char *cudaGetErrorString(int error)
{
	return error ? "error" : "no error";
}
