/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cuda_driver.h"

/* Devices and their limits. */

/* clang-format off */
/* Limits of a multiprocessor, from the first compute capability of the row on. */
static const struct limits {
	int cc;
	int blocks;
	int warps;
	int shared;	   /* bytes */
	int shared_block;  /* bytes, the largest that can be requested */
	int shared_step;
	int shared_reserved;
	int register_step; /* of a warp */
	int parts;	   /* number of parts that share the warps */
} limits[] = {
	{120, 24, 48, 102400, 101376, 128, 1024, 256, 4},
	{110, 24, 48, 233472, 232448, 128, 1024, 256, 4},
	{103, 32, 64, 233472, 232448, 128, 1024, 256, 4},
	{101, 24, 48, 233472, 232448, 128, 1024, 256, 4},
	{90, 32, 64, 233472, 232448, 128, 1024, 256, 4},
	{89, 24, 48, 102400, 101376, 128, 1024, 256, 4},
	{87, 16, 48, 167936, 166912, 128, 1024, 256, 4},
	{86, 16, 48, 102400, 101376, 128, 1024, 256, 4},
	{80, 32, 64, 167936, 166912, 128, 1024, 256, 4},
	{75, 16, 32, 65536, 65536, 256, 0, 256, 4},
	{70, 32, 64, 98304, 98304, 256, 0, 256, 4},
	{61, 32, 64, 98304, 49152, 256, 0, 256, 4},
	{60, 32, 64, 65536, 49152, 256, 0, 256, 2},
	{52, 32, 64, 98304, 49152, 256, 0, 256, 4},
	{50, 32, 64, 65536, 49152, 256, 0, 256, 4},
	{37, 16, 64, 114688, 49152, 256, 0, 256, 4},
	{30, 16, 64, 49152, 49152, 256, 0, 256, 4},
	{0, 8, 48, 49152, 49152, 128, 0, 64, 2},
};
/* clang-format on */

enum { SIZE_OF_MEMORY = 1 << 30, REGISTERS = 65536, REGISTERS_FERMI = 32768 };

static const struct limits *find_limits(void)
{
	const struct limits *found = limits;

	while (script.cc < found->cc)
		found++;
	return found;
}

static int registers(void)
{
	return script.cc < 30 ? REGISTERS_FERMI : REGISTERS * (script.cc == 37 ? 2 : 1);
}

uint32_t device_shared(void)
{
	return (uint32_t)find_limits()->shared;
}

bool device_is(int device)
{
	return device >= 0 && device < script.devices && device < MAX_DEVICES;
}

int fake_cuDriverGetVersion(int *version)
{
	script_start();
	*version = (int)script.driver;
	return CUDA_DONE;
}

int fake_cuDeviceGetCount(int *count)
{
	*count = (int)script.devices;
	return CUDA_DONE;
}

int fake_cuDeviceGet(int *device, int number)
{
	*device = number;
	return device_is(number) ? CUDA_DONE : CUDA_INVALID_DEVICE;
}

int fake_cuDeviceGetName(char *name, int length, int device)
{
	snprintf(name, (size_t)length, "Fake GPU %d", device);
	return device_is(device) ? CUDA_DONE : CUDA_INVALID_DEVICE;
}

int fake_cuDeviceTotalMem_v2(size_t *bytes, int device)
{
	*bytes = SIZE_OF_MEMORY;
	return device_is(device) ? CUDA_DONE : CUDA_INVALID_DEVICE;
}

int fake_cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
	*free_bytes = SIZE_OF_MEMORY / 2;
	*total = SIZE_OF_MEMORY;
	return context_current() ? CUDA_DONE : CUDA_INVALID_CONTEXT;
}

int fake_cuDeviceGetUuid(char *uuid, int device)
{
	memcpy(uuid, "fake GPU number ", 16);
	uuid[15] = (char)('0' + device);
	return device_is(device) ? CUDA_DONE : CUDA_INVALID_DEVICE;
}

int fake_cuDeviceGetUuid_v2(char *uuid, int device)
{
	return fake_cuDeviceGetUuid(uuid, device);
}

int fake_cuDeviceGetPCIBusId(char *text, int length, int device)
{
	snprintf(text, (size_t)length, "0000:%02X:00.0", device + 1);
	return device_is(device) ? CUDA_DONE : CUDA_INVALID_DEVICE;
}

int fake_cuDeviceCanAccessPeer(int *can, int device, int peer)
{
	*can = device != peer;
	return device_is(device) && device_is(peer) ? CUDA_DONE : CUDA_INVALID_DEVICE;
}

/* -1: no such attribute */
static int attribute_of(int attribute, int device)
{
	const struct limits *limit = find_limits();
	/* clang-format off */
	const struct {
		int attribute;
		int value;
	} attributes[] = {
		{1, 1024},		      /* threads of a block */
		{2, 1024},		      /* block, x y z */
		{3, 1024},
		{4, 64},
		{5, 0x7fffffff},	      /* grid, x y z */
		{6, 65535},
		{7, 65535},
		{8, 49152},		      /* shared memory of a block */
		{9, 65536},		      /* constant memory */
		{10, 32},		      /* warp */
		{12, registers()},	      /* of a block */
		{13, 1000000},		      /* kHz: a cycle is a nanosecond */
		{15, 1},		      /* copies and kernels at once */
		{16, 8},		      /* multiprocessors */
		{18, 0},		      /* integrated */
		{19, 1},		      /* can map host memory */
		{20, 0},		      /* compute mode */
		{31, 1},		      /* concurrent kernels */
		{33, device + 1},	      /* PCI bus */
		{34, 0},		      /* PCI device */
		{36, 1000000},		      /* kHz of the memory */
		{37, 256},		      /* bits of the memory */
		{38, 1 << 20},		      /* L2 cache */
		{39, limit->warps * 32},      /* threads of a multiprocessor */
		{40, 2},		      /* copy engines */
		{41, 1},		      /* unified addressing */
		{50, 0},		      /* PCI domain */
		{75, (int)script.cc / 10},
		{76, (int)script.cc % 10},
		{78, 1},		      /* stream priorities */
		{81, limit->shared},
		{82, registers()},	      /* of a multiprocessor */
		{83, script.cc >= 30},	      /* managed memory */
		{95, script.cc >= 60},	      /* cooperative launches */
		{97, limit->shared_block},
		{106, limit->blocks},
		{111, limit->shared_reserved},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (attributes[i].attribute == attribute)
			return attributes[i].value;
	return -1;
}

int fake_cuDeviceGetAttribute(int *value, int attribute, int device)
{
	int found = attribute_of(attribute, device);

	/* A driver does not know attributes that are newer than itself. */
	if (found < 0 || (attribute == 106 && script.driver < 11000) ||
	    (attribute == 111 && script.driver < 11000))
		return CUDA_INVALID_VALUE;
	*value = found;
	return device_is(device) ? CUDA_DONE : CUDA_INVALID_DEVICE;
}

static int round_up(int value, int step)
{
	return (value + step - 1) / step * step;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

int fake_cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, struct function *function,
						     int threads, size_t dynamic)
{
	const struct limits *limit = find_limits();
	int warps = (threads + 31) / 32, shared;

	if (!object_is(function, KIND_FUNCTION) || threads <= 0)
		return CUDA_INVALID_VALUE;
	*blocks = 0;
	shared = round_up((int)(function->shared + dynamic) + limit->shared_reserved,
			  limit->shared_step);
	if (threads > 1024 || dynamic + function->shared > (size_t)limit->shared_block)
		return CUDA_DONE;
	*blocks = least(limit->blocks, limit->warps / warps);
	if (script.registers) {
		int of_warp = round_up((int)script.registers * 32, limit->register_step);
		int of_part = registers() / limit->parts / of_warp;

		/* before 3.0 a block's warps are spread evenly over the parts */
		if (script.cc < 30)
			warps = round_up(warps, limit->parts);
		*blocks = least(*blocks, of_part * limit->parts / warps);
	}
	if (shared)
		*blocks = least(*blocks, limit->shared / shared);
	return CUDA_DONE;
}
