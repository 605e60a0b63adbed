/* SPDX-License-Identifier: MIT */
/*
 * cuda_uses [THREADS]: makes commands that use memory on the scripted driver, in THREADS threads
 * (1), each with a context of its own. Prints a line for each use that the trace should have, as
 * tests/app/uses.c does.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"

enum { FIRST = 4096, SECOND = 8192, MOST = 64, ASSUMED = 1, PARTIAL = 2, NO_ARGUMENT = -1 };

static const char text[] =
	".version 6.0\n"
	".target sm_30\n"
	".address_size 64\n"
	".visible .entry gather(.param .u64 to, .param .align 8 .b8 from[24], .param .u32 count,\n"
	"		.param .u64 other, .param .align 4 .b8 unaligned[16])\n"
	"{\n"
	"	ret;\n"
	"}\n"
	".visible .entry nothing()\n"
	"{\n"
	"	ret;\n"
	"}\n";

static cuda_device device;
static int threads;

#define DO(name, ...) done(cu.name(__VA_ARGS__), #name)

static void done(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "cuda_uses: cu%s: error %d\n", what, result);
	exit(1);
}

static void expect(const char *record, const char *access, uint64_t allocation, size_t offset,
		   size_t bytes, int argument, int flags)
{
	printf("%s %s %llx %zu %zu %d %d\n", record, access, (unsigned long long)allocation, offset,
	       bytes, argument, flags);
}

static void copies(uint64_t first, uint64_t second, void *pinned)
{
	static char pageable[1000];

	DO(MemcpyHtoD, first + 16, pageable, 100);
	expect("copy", "write", first, 16, 100, NO_ARGUMENT, 0);
	DO(MemcpyDtoH, pageable, second + 8000, 192);
	expect("copy", "read", second, 8000, 192, NO_ARGUMENT, 0);
	DO(MemcpyDtoD, second + 8, first, 64);
	expect("copy", "read", first, 0, 64, NO_ARGUMENT, 0);
	expect("copy", "write", second, 8, 64, NO_ARGUMENT, 0);
	DO(MemcpyDtoHAsync, (char *)pinned + 4, second, 32, NULL);
	expect("copy", "read", second, 0, 32, NO_ARGUMENT, 0);
	expect("copy", "write", (uintptr_t)pinned, 4, 32, NO_ARGUMENT, 0);
	DO(MemsetD8, first + 1, 7, 10);
	expect("fill", "write", first, 1, 10, NO_ARGUMENT, 0);
	DO(MemsetD32Async, first + 4, 7, 10, NULL);
	expect("fill", "write", first, 4, 40, NO_ARGUMENT, 0);
	if (!cu.MemsetD8(first, 7, FIRST + 1))
		done(-1, "memset beyond the end");
}

static void launch(struct cuda_function *function, void **parameters, void **extra)
{
	DO(LaunchKernel, function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, extra);
}

static void expect_gather(uint64_t first, uint64_t second, uint64_t pinned)
{
	expect("kernel", "read-write", first, 32, 0, 0, ASSUMED | PARTIAL);
	expect("kernel", "read-write", second, 0, 0, 1, ASSUMED | PARTIAL);
	expect("kernel", "read-write", first, FIRST - 1, 0, 1, ASSUMED | PARTIAL);
	expect("kernel", "read-write", pinned, 0, 0, 3, ASSUMED | PARTIAL);
}

/* In a struct, too; but no word that is not aligned, and no end of an allocation. */
static void kernels(struct cuda_module *module, uint64_t first, uint64_t second, void *pinned)
{
	struct {
		uint64_t to;
		uint64_t from[3];
		uint32_t count, padding;
		uint64_t other;
		uint32_t unaligned[4];
	} all = {.to = first + 32,
		 .from = {second, 7, first + FIRST - 1},
		 .other = (uintptr_t)pinned};
	size_t size = sizeof(all);
	void *parameters[] = {&all.to, &all.from, &all.count, &all.other, &all.unaligned};
	void *extra[] = {(void *)1, &all, (void *)2, &size, NULL};
	struct cuda_function *gather, *nothing;

	DO(ModuleGetFunction, &gather, module, "gather");
	DO(ModuleGetFunction, &nothing, module, "nothing");
	for (int i = 0; i < 2; i++) {
		launch(gather, parameters, NULL);
		expect_gather(first, second, (uintptr_t)pinned);
	}
	launch(gather, NULL, extra);
	expect_gather(first, second, (uintptr_t)pinned);
	launch(nothing, NULL, NULL);
	if (!cu.LaunchKernel(gather, 1, 1, 1, 4096, 1, 1, 0, NULL, parameters, NULL))
		done(-1, "launch of a block that is too large");
}

/* What was freed is used no more, although the kernel has its address. (With several threads,
 * another one may have allocated it.) */
static void after_free(struct cuda_module *module, uint64_t second)
{
	uint64_t values[3] = {second, 1, 2}, other = 0;
	uint32_t count = 0, unaligned[4] = {0};
	void *parameters[] = {&second, values, &count, &other, unaligned};
	struct cuda_function *gather;

	DO(ModuleGetFunction, &gather, module, "gather");
	DO(MemFree, second);
	launch(gather, parameters, NULL);
}

static void *work(void *unused)
{
	struct cuda_module *module, *again;
	cuda_context context;
	uint64_t first, second;
	void *pinned;

	(void)unused;
	DO(CtxCreate, &context, 0, device);
	DO(ModuleLoadData, &module, text);
	DO(MemAlloc, &first, FIRST);
	DO(MemAlloc, &second, SECOND);
	DO(MemHostAlloc, &pinned, 256, 0);
	copies(first, second, pinned);
	kernels(module, first, second, pinned);
	DO(CtxSynchronize);
	DO(ModuleUnload, module);
	DO(ModuleLoadData, &again, text);
	kernels(again, first, second, pinned);
	if (threads == 1)
		after_free(again, second);
	DO(CtxSynchronize);
	DO(MemFreeHost, pinned);
	DO(MemFree, first);
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t thread[MOST];
	const char *missing = driver_open();

	threads = count > 1 ? atoi(arguments[1]) : 1;
	if (missing || cu.Init(0) || threads < 1 || threads > MOST) {
		fprintf(stderr, "cuda_uses: no CUDA driver: %s\n", missing ? missing : "it fails");
		return 1;
	}
	DO(DeviceGet, &device, 0);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
