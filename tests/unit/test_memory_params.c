/* SPDX-License-Identifier: MIT */
/* The parameters of the driver's calls, as the headers of a toolkit have them, give the right
 * allocations and uses (memory_calls.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define __CUDA_API_VERSION_INTERNAL /* declares the types of old functions, too */
#include <cuda.h>

#include "memory_stubs.h"

#if CUDA_VERSION >= 12000 && __has_include(<generated_cuda_meta.h>)
#include <generated_cuda_meta.h>

enum { FROM = 0x100000, TO = 0x200000, SIZE = 0x10000, PART = 48 };

/* Sets a parameter of 64 bits, of whatever type. */
#define SET(member, value)                                                                         \
	do {                                                                                       \
		uint64_t word = (uint64_t)(uintptr_t)(value);                                      \
		_Static_assert(sizeof(member) == sizeof(word), "a word");                          \
		memcpy(&(member), &word, sizeof(word));                                            \
	} while (0)

static int prepare(void **state)
{
	(void)state;
	begin_calls();
	allocate(FROM, SIZE);
	allocate(TO, SIZE);
	return 0;
}

static void check(int index, enum use_access access, uint64_t address, uint64_t offset,
		  uint64_t bytes, unsigned flags)
{
	assert_true(index < use_count);
	assert_int_equal(uses[index].access, access);
	assert_int_equal(uses[index].address, address);
	assert_int_equal(uses[index].offset, offset);
	assert_int_equal(uses[index].bytes, bytes);
	assert_int_equal(uses[index].frame.flags, flags);
	assert_int_equal(uses[index].argument, USE_NO_ARGUMENT);
}

#define COPY(function, to, from)                                                                   \
	do {                                                                                       \
		function##_params given = {0};                                                     \
		use_count = 0;                                                                     \
		SET(given.to, TO + 16);                                                            \
		SET(given.from, FROM + 32);                                                        \
		SET(given.ByteCount, PART);                                                        \
		call(#function, CUPTI_ENTER, 1, &given, 0);                                        \
		assert_int_equal(use_count, 2);                                                    \
		check(0, USE_READ, FROM, 32, PART, 0);                                             \
		check(1, USE_WRITE, TO, 16, PART, 0);                                              \
	} while (0)

static void test_copies(void **state)
{
	(void)state;
	COPY(cuMemcpyHtoD_v2, dstDevice, srcHost);
	COPY(cuMemcpyDtoH_v2, dstHost, srcDevice);
	COPY(cuMemcpyDtoD_v2, dstDevice, srcDevice);
	COPY(cuMemcpyHtoDAsync_v2, dstDevice, srcHost);
	COPY(cuMemcpyDtoHAsync_v2, dstHost, srcDevice);
	COPY(cuMemcpyDtoDAsync_v2, dstDevice, srcDevice);
	COPY(cuMemcpyHtoDAsync_v2_ptsz, dstDevice, srcHost);
	COPY(cuMemcpy, dst, src);
	COPY(cuMemcpyAsync, dst, src);
	COPY(cuMemcpyPeer, dstDevice, srcDevice);
	COPY(cuMemcpyPeerAsync, dstDevice, srcDevice);
}

#define ARRAY(function, member, its_access, base)                                                  \
	do {                                                                                       \
		function##_params given = {0};                                                     \
		use_count = 0;                                                                     \
		SET(given.member, (base) + 16);                                                    \
		SET(given.ByteCount, PART);                                                        \
		call(#function, CUPTI_ENTER, 1, &given, 0);                                        \
		assert_int_equal(use_count, 1);                                                    \
		check(0, its_access, base, 16, PART, 0);                                           \
	} while (0)

static void test_arrays(void **state)
{
	(void)state;
	ARRAY(cuMemcpyDtoA_v2, srcDevice, USE_READ, FROM);
	ARRAY(cuMemcpyHtoA_v2, srcHost, USE_READ, FROM);
	ARRAY(cuMemcpyHtoAAsync_v2, srcHost, USE_READ, FROM);
	ARRAY(cuMemcpyAtoD_v2, dstDevice, USE_WRITE, TO);
	ARRAY(cuMemcpyAtoH_v2, dstHost, USE_WRITE, TO);
	ARRAY(cuMemcpyAtoHAsync_v2, dstHost, USE_WRITE, TO);
}

#define FILL(function, width)                                                                      \
	do {                                                                                       \
		function##_params given = {0};                                                     \
		use_count = 0;                                                                     \
		SET(given.dstDevice, TO + 16);                                                     \
		SET(given.N, 5);                                                                   \
		call(#function, CUPTI_ENTER, 1, &given, 0);                                        \
		assert_int_equal(use_count, 1);                                                    \
		check(0, USE_WRITE, TO, 16, 5 * (width), 0);                                       \
	} while (0)
#define FILL_2D(function, width)                                                                   \
	do {                                                                                       \
		function##_params given = {0};                                                     \
		use_count = 0;                                                                     \
		SET(given.dstDevice, TO + 16);                                                     \
		SET(given.dstPitch, 256);                                                          \
		SET(given.Width, 5);                                                               \
		SET(given.Height, 3);                                                              \
		call(#function, CUPTI_ENTER, 1, &given, 0);                                        \
		assert_int_equal(use_count, 1);                                                    \
		check(0, USE_WRITE, TO, 16, 2 * 256 + 5 * (width), USE_PARTIAL);                   \
	} while (0)

static void test_fills(void **state)
{
	(void)state;
	FILL(cuMemsetD8_v2, 1);
	FILL(cuMemsetD16_v2, 2);
	FILL(cuMemsetD32_v2, 4);
	FILL(cuMemsetD8Async, 1);
	FILL(cuMemsetD16Async, 2);
	FILL(cuMemsetD32Async, 4);
	FILL_2D(cuMemsetD2D8_v2, 1);
	FILL_2D(cuMemsetD2D16_v2, 2);
	FILL_2D(cuMemsetD2D32_v2, 4);
	FILL_2D(cuMemsetD2D8Async, 1);
	FILL_2D(cuMemsetD2D16Async, 2);
	FILL_2D(cuMemsetD2D32Async, 4);
}

static void test_2d(void **state)
{
	CUDA_MEMCPY2D copy = {
		.srcXInBytes = 8, .srcY = 2, .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = (const void *)FROM, .srcPitch = 128,
		.dstXInBytes = 4, .dstY = 1, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = TO, .dstPitch = 64, .WidthInBytes = 32, .Height = 3,
	};
	cuMemcpy2D_v2_params given = {.pCopy = &copy};

	(void)state;
	call("cuMemcpy2D_v2", CUPTI_ENTER, 1, &given, 0);
	assert_int_equal(use_count, 2);
	check(0, USE_READ, FROM, 2 * 128 + 8, 2 * 128 + 32, USE_PARTIAL);
	check(1, USE_WRITE, TO, 64 + 4, 2 * 64 + 32, USE_PARTIAL);
	copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
	copy.dstPitch = 32;
	use_count = 0;
	call("cuMemcpy2DAsync_v2", CUPTI_ENTER, 1, &given, 0);
	assert_int_equal(use_count, 1);
	check(0, USE_WRITE, TO, 32 + 4, 3 * 32, 0);
}

static void test_3d(void **state)
{
	CUDA_MEMCPY3D copy = {
		.srcXInBytes = 8, .srcY = 2, .srcZ = 1, .srcMemoryType = CU_MEMORYTYPE_DEVICE,
		.srcDevice = FROM, .srcPitch = 128, .srcHeight = 10,
		.dstXInBytes = 4, .dstY = 1, .dstZ = 2, .dstMemoryType = CU_MEMORYTYPE_HOST,
		.dstHost = (void *)TO, .dstPitch = 64, .dstHeight = 5,
		.WidthInBytes = 32, .Height = 3, .Depth = 2,
	};
	cuMemcpy3D_v2_params given = {.pCopy = &copy};

	(void)state;
	call("cuMemcpy3D_v2", CUPTI_ENTER, 1, &given, 0);
	assert_int_equal(use_count, 2);
	check(0, USE_READ, FROM, 12 * 128 + 8, 12 * 128 + 32, USE_PARTIAL);
	check(1, USE_WRITE, TO, 11 * 64 + 4, 7 * 64 + 32, USE_PARTIAL);
}

/* Looks the allocation up, frees it, and looks again. */
static void check_allocation(uint64_t address, uint64_t bytes, const char *function,
			     const void *freed)
{
	cuMemsetD8_v2_params fill = {.dstDevice = address + bytes - 1, .N = 1};

	use_count = 0;
	call("cuMemsetD8_v2", CUPTI_ENTER, 1, &fill, 0);
	assert_int_equal(use_count, 1);
	check(0, USE_WRITE, address, bytes - 1, 1, 0);
	fill.dstDevice = address + bytes;
	call("cuMemsetD8_v2", CUPTI_ENTER, 1, &fill, 0);
	assert_int_equal(use_count, 1);
	call(function, CUPTI_ENTER, 1, freed, 0);
	fill.dstDevice = address;
	call("cuMemsetD8_v2", CUPTI_ENTER, 1, &fill, 0);
	assert_int_equal(use_count, 1);
}

#define ALLOCATE(function, address_member, free_function, freed_member)                            \
	do {                                                                                       \
		uint64_t address = 0x400000;                                                       \
		function##_params given = {0};                                                     \
		free_function##_params freed = {0};                                                \
		SET(given.address_member, &address);                                               \
		SET(given.bytesize, 100);                                                          \
		SET(freed.freed_member, address);                                                  \
		call(#function, CUPTI_EXIT, 1, &given, 0);                                         \
		check_allocation(address, 100, #free_function, &freed);                            \
	} while (0)

static void test_allocations(void **state)
{
	(void)state;
	ALLOCATE(cuMemAlloc_v2, dptr, cuMemFree_v2, dptr);
	ALLOCATE(cuMemAllocManaged, dptr, cuMemFree_v2, dptr);
	ALLOCATE(cuMemAllocAsync, dptr, cuMemFreeAsync, dptr);
	ALLOCATE(cuMemAllocFromPoolAsync, dptr, cuMemFreeAsync, dptr);
	ALLOCATE(cuMemHostAlloc, pp, cuMemFreeHost, p);
	ALLOCATE(cuMemAllocHost_v2, pp, cuMemFreeHost, p);
}

static void test_other_allocations(void **state)
{
	CUdeviceptr address = 0x400000;
	size_t pitch = 512, bytes = 77;
	cuMemAllocPitch_v2_params pitched = {
		.dptr = &address, .pPitch = &pitch, .WidthInBytes = 100, .Height = 3};
	cuModuleGetGlobal_v2_params global = {.dptr = &address, .bytes = &bytes};
	cuMemHostRegister_v2_params given = {.p = (void *)0x500000, .bytesize = 50};
	cuMemHostUnregister_params unregistered = {.p = (void *)0x500000};
	cuMemFree_v2_params freed = {.dptr = address};

	(void)state;
	call("cuMemAllocPitch_v2", CUPTI_EXIT, 1, &pitched, 0);
	check_allocation(address, 3 * 512, "cuMemFree_v2", &freed);
	call("cuModuleGetGlobal_v2", CUPTI_EXIT, 1, &global, 0);
	check_allocation(address, 77, "cuMemFree_v2", &freed);
	global.bytes = NULL;
	call("cuModuleGetGlobal_v2", CUPTI_EXIT, 1, &global, 0);
	call("cuMemHostRegister_v2", CUPTI_EXIT, 1, &given, 0);
	check_allocation(0x500000, 50, "cuMemHostUnregister", &unregistered);
}

#define LAUNCH(function)                                                                           \
	do {                                                                                       \
		function##_params given = {0};                                                     \
		use_count = 0;                                                                     \
		SET(given.f, FUNCTION_AT(3));                                                      \
		SET(given.kernelParams, values);                                                   \
		call(#function, CUPTI_ENTER, 1, &given, 0);                                        \
		assert_int_equal(use_count, 1);                                                    \
		assert_int_equal(uses[0].offset, 24);                                              \
	} while (0)

static void test_launches(void **state)
{
	uint64_t parameter = FROM + 24;
	void *values[] = {&parameter};
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &parameter, CU_LAUNCH_PARAM_END};
	cuLaunchKernel_params by_buffer = {.extra = extra};

	(void)state;
	driver.cuFuncGetParamInfo = param_info;
	stub_parameters(1, (struct kernel_parameter){0, 8}, (struct kernel_parameter){0, 0});
	LAUNCH(cuLaunchKernel);
	LAUNCH(cuLaunchKernel_ptsz);
	LAUNCH(cuLaunchCooperativeKernel);
	LAUNCH(cuLaunchKernelEx);
	use_count = 0;
	SET(by_buffer.f, FUNCTION_AT(3));
	call("cuLaunchKernel", CUPTI_ENTER, 1, &by_buffer, 0);
	assert_int_equal(use_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_copies, prepare),
		cmocka_unit_test_setup(test_arrays, prepare),
		cmocka_unit_test_setup(test_fills, prepare),
		cmocka_unit_test_setup(test_2d, prepare),
		cmocka_unit_test_setup(test_3d, prepare),
		cmocka_unit_test_setup(test_allocations, prepare),
		cmocka_unit_test_setup(test_other_allocations, prepare),
		cmocka_unit_test_setup(test_launches, prepare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void test_none(void **state)
{
	(void)state;
	skip(); /* the headers are older */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_none)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
