/* SPDX-License-Identifier: MIT */
#include "cuda_driver.h"

/* The profiler's control, which does nothing by itself, and the names of errors. */

int fake_cuProfilerInitialize(const char *config, const char *output, int mode)
{
	return CUDA_DONE;
}

int fake_cuProfilerStart(void)
{
	return CUDA_DONE;
}

int fake_cuProfilerStop(void)
{
	return CUDA_DONE;
}

static const struct error {
	int number;
	const char *name;
	const char *text;
} errors[] = {
	{CUDA_DONE, "CUDA_SUCCESS", "no error"},
	{CUDA_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{CUDA_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{CUDA_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{CUDA_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{CUDA_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{CUDA_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
	{CUDA_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{CUDA_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{CUDA_ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE", "illegal state"},
	{CUDA_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	{CUDA_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
	{0, NULL, NULL},
};

static const struct error *find_error(int number)
{
	const struct error *error = errors;

	while (error->name && error->number != number)
		error++;
	return error;
}

int fake_cuGetErrorString(int error, const char **text)
{
	*text = find_error(error)->text;
	return *text ? CUDA_DONE : CUDA_INVALID_VALUE;
}

int fake_cuGetErrorName(int error, const char **text)
{
	*text = find_error(error)->name;
	return *text ? CUDA_DONE : CUDA_INVALID_VALUE;
}
