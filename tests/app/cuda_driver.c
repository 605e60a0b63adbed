/* SPDX-License-Identifier: MIT */
/*
 * Usage: cuda_driver [window]
 * A program on CUDA's driver API that needs no toolkit: it opens the driver itself, and its kernels
 * are PTX text. Kernels with shared memory of both sorts, copies of all directions, memsets, a
 * non-default stream, and a module that is unloaded before the context ends. A part of the work is
 * between cuProfilerStart and cuProfilerStop, and the rest before and after. Checks the results of
 * the device, and prints the rows that it expects in the log (cuda_expect.h): with "window" only
 * those of the part between.
 *
 * Exit code: 0 all results are right, 1 they are not or a call failed, 77 there is no CUDA device.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_expect.h"

enum { COUNT = 1 << 14, BLOCK = 128, GRID = COUNT / BLOCK, BYTES = COUNT * 4, NO_DEVICE = 77 };

struct context;
struct module;
struct function;
struct stream;

#define FUNCTIONS(DO)                                                                              \
	DO(cuInit, (unsigned int flags))                                                           \
	DO(cuDeviceGet, (int *device, int number))                                                 \
	DO(cuCtxCreate_v2, (struct context * *context, unsigned int flags, int device))            \
	DO(cuCtxSynchronize, (void))                                                               \
	DO(cuCtxDestroy_v2, (struct context * context))                                            \
	DO(cuModuleLoadData, (struct module * *module, const void *image))                         \
	DO(cuModuleGetFunction,                                                                    \
	   (struct function * *function, struct module * module, const char *name))                \
	DO(cuModuleUnload, (struct module * module))                                               \
	DO(cuLaunchKernel,                                                                         \
	   (struct function * function, unsigned int grid_x, unsigned int grid_y,                  \
	    unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z, \
	    unsigned int shared, struct stream *stream, void **parameters, void **extra))          \
	DO(cuMemAlloc_v2, (uint64_t * memory, size_t size))                                        \
	DO(cuMemFree_v2, (uint64_t memory))                                                        \
	DO(cuMemHostAlloc, (void **memory, size_t size, unsigned int flags))                       \
	DO(cuMemFreeHost, (void *memory))                                                          \
	DO(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t size))                          \
	DO(cuMemcpyHtoDAsync_v2,                                                                   \
	   (uint64_t to, const void *from, size_t size, struct stream *stream))                    \
	DO(cuMemcpyDtoD_v2, (uint64_t to, uint64_t from, size_t size))                             \
	DO(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t size))                                \
	DO(cuMemcpyDtoHAsync_v2, (void *to, uint64_t from, size_t size, struct stream *stream))    \
	DO(cuMemsetD32_v2, (uint64_t memory, unsigned int value, size_t count))                    \
	DO(cuMemsetD32Async,                                                                       \
	   (uint64_t memory, unsigned int value, size_t count, struct stream *stream))             \
	DO(cuStreamCreate, (struct stream * *stream, unsigned int flags))                          \
	DO(cuStreamSynchronize, (struct stream * stream))                                          \
	DO(cuStreamDestroy_v2, (struct stream * stream))                                           \
	DO(cuProfilerStart, (void))                                                                \
	DO(cuProfilerStop, (void))

#define DECLARE(name, parameters) static int(*p_##name) parameters;
FUNCTIONS(DECLARE)

/* multiply: data[i] *= factor. turn_fixed and turn_moving turn each block's numbers round, by way
 * of static and of dynamic shared memory. */
#define HEAD	  ".version 4.3\n.target sm_30\n.address_size 64\n"
#define REGISTERS ".reg .u32 %r<9>;\n.reg .u64 %d<3>;\n"
#define LOAD_MINE                                                                                  \
	"ld.param.u64 %d1, [data];\n"                                                              \
	"cvta.to.global.u64 %d1, %d1;\n"                                                           \
	"mov.u32 %r1, %ctaid.x;\n"                                                                 \
	"mov.u32 %r2, %ntid.x;\n"                                                                  \
	"mov.u32 %r3, %tid.x;\n"                                                                   \
	"mad.lo.u32 %r4, %r1, %r2, %r3;\n"                                                         \
	"mul.wide.u32 %d2, %r4, 4;\n"                                                              \
	"add.u64 %d1, %d1, %d2;\n"                                                                 \
	"ld.global.u32 %r5, [%d1];\n"
#define TURN_AND_STORE                                                                             \
	"mad.lo.u32 %r7, %r3, 4, %r6;\n"                                                           \
	"st.shared.u32 [%r7], %r5;\n"                                                              \
	"bar.sync 0;\n"                                                                            \
	"sub.u32 %r8, %r2, %r3;\n"                                                                 \
	"sub.u32 %r8, %r8, 1;\n"                                                                   \
	"mad.lo.u32 %r7, %r8, 4, %r6;\n"                                                           \
	"ld.shared.u32 %r5, [%r7];\n"                                                              \
	"st.global.u32 [%d1], %r5;\n"                                                              \
	"ret;\n}\n"

/* clang-format off */
static const char multiply_text[] = HEAD
	".visible .entry multiply(.param .u64 data, .param .u32 factor)\n{\n"
	REGISTERS
	LOAD_MINE
	"ld.param.u32 %r6, [factor];\n"
	"mul.lo.u32 %r5, %r5, %r6;\n"
	"st.global.u32 [%d1], %r5;\n"
	"ret;\n}\n";

static const char turn_text[] = HEAD
	".extern .shared .align 4 .b8 moving[];\n"
	".visible .entry turn_fixed(.param .u64 data)\n{\n"
	".shared .align 4 .b8 fixed[512];\n"
	REGISTERS
	LOAD_MINE
	"mov.u32 %r6, fixed;\n"
	TURN_AND_STORE
	".visible .entry turn_moving(.param .u64 data)\n{\n"
	REGISTERS
	LOAD_MINE
	"mov.u32 %r6, moving;\n"
	TURN_AND_STORE;
/* clang-format on */

static unsigned int host[COUNT];
static int failures;

#define CALL(name, ...) check(p_##name(__VA_ARGS__), #name)

static void check(int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "cuda_driver: %s failed with error %d\n", what, status);
	exit(EXIT_FAILURE);
}

static void __attribute__((noreturn)) no_device(const char *reason)
{
	fprintf(stderr, "cuda_driver: there is no CUDA device here: %s\n", reason);
	exit(NO_DEVICE);
}

static int open_device(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	int device;

	if (!library)
		no_device(dlerror());
#define FIND(name, parameters)                                                                     \
	p_##name = (__typeof__(p_##name))dlsym(library, #name);                                    \
	if (!p_##name)                                                                             \
		no_device("the driver has no " #name);
	FUNCTIONS(FIND)
	if (p_cuInit(0))
		no_device("cuInit failed");
	if (p_cuDeviceGet(&device, 0))
		no_device("cuDeviceGet failed");
	return device;
}

static struct function *find(struct module *module, const char *name)
{
	struct function *function;

	CALL(cuModuleGetFunction, &function, module, name);
	return function;
}

static uint64_t device_memory(void)
{
	uint64_t memory;

	CALL(cuMemAlloc_v2, &memory, BYTES);
	return memory;
}

static void launch(struct function *function, unsigned int shared, struct stream *stream,
		   void **parameters)
{
	CALL(cuLaunchKernel, function, GRID, 1, 1, BLOCK, 1, 1, shared, stream, parameters, NULL);
}

/* Checks that data[i] is its index times `factor`, with the indices reversed within each block if
 * `turned`. */
static void judge(const char *part, const unsigned int *data, bool turned, unsigned int factor)
{
	for (unsigned int i = 0; i < COUNT; i++) {
		unsigned int place = turned ? i - i % BLOCK + BLOCK - 1 - i % BLOCK : i;

		if (data[i] == place * factor)
			continue;
		fprintf(stderr, "cuda_driver: %s: number %u is %u, not %u\n", part, i, data[i],
			place * factor);
		failures++;
		return;
	}
}

/* On the NULL stream, with pageable memory and a short-lived module. */
static void simple(unsigned int factor)
{
	uint64_t data = device_memory(), other = device_memory();
	void *parameters[] = {&data, &factor};
	struct module *module;

	for (unsigned int i = 0; i < COUNT; i++)
		host[i] = i;
	CALL(cuModuleLoadData, &module, multiply_text);
	CALL(cuMemsetD32_v2, other, 0, COUNT);
	expect_on_device("memset", BYTES);
	CALL(cuMemcpyHtoD_v2, data, host, BYTES);
	expect_to_device(BYTES, EXPECT_PAGEABLE);
	launch(find(module, "multiply"), 0, NULL, parameters);
	expect_kernel("multiply", GRID, BLOCK, 0, 0);
	CALL(cuMemcpyDtoD_v2, other, data, BYTES);
	expect_on_device("memcopy", BYTES);
	CALL(cuMemcpyDtoH_v2, host, other, BYTES);
	expect_to_host(BYTES, EXPECT_PAGEABLE);
	judge("simple", host, false, factor);
	CALL(cuModuleUnload, module);
	CALL(cuMemFree_v2, other);
	CALL(cuMemFree_v2, data);
}

/* On a stream, with page-locked memory: turned round twice, and once more. */
static void streamed(struct module *module)
{
	uint64_t data = device_memory();
	void *parameters[] = {&data}, *memory;
	struct stream *stream;

	CALL(cuMemHostAlloc, &memory, BYTES, 0);
	for (unsigned int i = 0; i < COUNT; i++)
		((unsigned int *)memory)[i] = i;
	CALL(cuStreamCreate, &stream, 0);
	CALL(cuMemsetD32Async, data, 1, COUNT, stream);
	expect_on_device("memset", BYTES);
	CALL(cuMemcpyHtoDAsync_v2, data, memory, BYTES, stream);
	expect_to_device(BYTES, EXPECT_PAGE_LOCKED);
	for (int i = 0; i < 3; i++) {
		bool fixed = i % 2 == 0;

		launch(find(module, fixed ? "turn_fixed" : "turn_moving"), fixed ? 0 : BLOCK * 4,
		       stream, parameters);
		expect_kernel(fixed ? "turn_fixed" : "turn_moving", GRID, BLOCK,
			      fixed ? 0 : BLOCK * 4, fixed ? BLOCK * 4 : 0);
	}
	CALL(cuMemcpyDtoHAsync_v2, memory, data, BYTES, stream);
	expect_to_host(BYTES, EXPECT_PAGE_LOCKED);
	CALL(cuStreamSynchronize, stream);
	judge("streamed", memory, true, 1);
	CALL(cuStreamDestroy_v2, stream);
	CALL(cuMemFreeHost, memory);
	CALL(cuMemFree_v2, data);
}

int main(int argc, char **argv)
{
	int device = open_device();
	struct context *context;
	struct module *module;

	expect_nothing = argc > 1 && !strcmp(argv[1], "window");
	CALL(cuCtxCreate_v2, &context, 0, device);
	CALL(cuModuleLoadData, &module, turn_text);
	simple(3);
	CALL(cuProfilerStart);
	expect_nothing = false;
	streamed(module);
	simple(5);
	CALL(cuCtxSynchronize);
	CALL(cuProfilerStop);
	expect_nothing = true;
	simple(7);
	CALL(cuModuleUnload, module);
	CALL(cuCtxDestroy_v2, context);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
