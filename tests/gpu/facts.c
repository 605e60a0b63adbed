/* SPDX-License-Identifier: MIT */
#include "facts.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cuptilib.h"
#include "driver.h"
#include "work.h"

static void print_machine(void)
{
	struct utsname name;

	if (!uname(&name))
		printf("kernel: %s %s %s\n", name.sysname, name.release, name.machine);
	printf("libc: glibc %s\n", gnu_get_libc_version());
}

static void print_cupti(void)
{
	struct cuptilib cupti;
	uint32_t version = 0;

	if (cuptilib_open(&cupti)) {
		printf("cupti: none\n");
		return;
	}
	cupti.GetVersion(&version);
	printf("cupti: version %u, opened as %s\n", version, cupti.path);
}

static void print_device(int number)
{
	static const struct {
		const char *name;
		int attribute;
	} attributes[] = {
		{"major", CUDA_DEVICE_MAJOR},
		{"minor", CUDA_DEVICE_MINOR},
		{"multiprocessors", CUDA_DEVICE_MULTIPROCESSORS},
		{"threads of a multiprocessor", CUDA_DEVICE_THREADS_OF_MULTIPROCESSOR},
		{"clock in kHz", CUDA_DEVICE_CLOCK_RATE},
		{"managed memory", CUDA_DEVICE_MANAGED_MEMORY},
		{NULL, 0},
	};
	char name[256] = "";
	cuda_device device;
	int value;

	if (cu.DeviceGet(&device, number) || cu.DeviceGetName(name, sizeof(name), device))
		return;
	printf("device %d: %s\n", number, name);
	for (int i = 0; attributes[i].name; i++) {
		if (!cu.DeviceGetAttribute(&value, attributes[i].attribute, device))
			printf("device %d, %s: %d\n", number, attributes[i].name, value);
	}
}

int facts_print(void)
{
	const char *missing = driver_open();
	int version = 0, count = 0, result;

	if (missing) {
		fprintf(stderr, "conformance: no CUDA driver here: %s\n", missing);
		return WORK_SKIPPED;
	}
	result = cu.Init(0);
	if (result) {
		fprintf(stderr, "conformance: the CUDA driver does not start: cuInit says %d\n",
			result);
		return WORK_SKIPPED;
	}
	print_machine();
	cu.DriverGetVersion(&version);
	printf("driver: CUDA %d.%d\n", version / 1000, version % 1000 / 10);
	print_cupti();
	cu.DeviceGetCount(&count);
	for (int i = 0; i < count; i++)
		print_device(i);
	return 0;
}

int facts_hold(void)
{
	work_begin();
	for (;;)
		pause();
}
