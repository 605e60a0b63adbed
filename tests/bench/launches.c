/* SPDX-License-Identifier: MIT */
/*
 * launches COUNT: launches an empty kernel COUNT times, to measure the cost on the launching
 * thread. hot() has all launches but the first ones, which initialize everything.
 */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"
#include "kernels.h"

enum { WARM_UP = 64 };

#define DO(name, ...) done(cu.name(__VA_ARGS__), #name)

static void done(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "launches: cu%s: error %d\n", what, result);
	exit(EXIT_FAILURE);
}

static __attribute__((noinline)) void hot(struct cuda_function *function, long count)
{
	while (count--)
		DO(LaunchKernel, function, 64, 1, 1, 256, 1, 1, 0, NULL, NULL, NULL);
}

int main(int argc, char **argv)
{
	long count = argc == 2 ? atol(argv[1]) : 0;
	struct cuda_function *function;
	struct cuda_module *module;
	cuda_context context;
	cuda_device device;
	const char *missing;

	if (count <= 0) {
		fprintf(stderr, "usage: launches COUNT\n");
		return EXIT_FAILURE;
	}
	missing = driver_open();
	if (missing) {
		fprintf(stderr, "launches: no CUDA driver: %s\n", missing);
		return EXIT_FAILURE;
	}
	DO(Init, 0);
	DO(DeviceGet, &device, 0);
	DO(CtxCreate, &context, 0, device);
	DO(ModuleLoadData, &module, kernels_ptx);
	DO(ModuleGetFunction, &function, module, "empty");
	for (int i = 0; i < WARM_UP; i++)
		DO(LaunchKernel, function, 64, 1, 1, 256, 1, 1, 0, NULL, NULL, NULL);
	hot(function, count);
	DO(CtxSynchronize);
	return EXIT_SUCCESS;
}
