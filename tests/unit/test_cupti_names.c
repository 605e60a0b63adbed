/* SPDX-License-Identifier: MIT */
/* Compares computeprof's declarations of CUPTI and the driver with the headers of a toolkit:
 * numbers and prototypes. Layouts are in test_cupti.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <cudaProfiler.h>
#include <cupti_activity.h>
#include <cupti_driver_cbid.h>
#include <cupti_runtime_cbid.h>
#include <cupti_version.h>

#include "backend/cuda/cupti_events.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct number {
	const char *name;
	long theirs;
	long ours;
};

#define NUMBER(theirs, ours)                                                                       \
	{                                                                                          \
#theirs, theirs, ours                                                              \
	}

static const struct number numbers[] = {
	NUMBER(CUPTI_SUCCESS, CUPTI_DONE),
	NUMBER(CUPTI_ERROR_INVALID_PARAMETER, CUPTI_INVALID_PARAMETER),
	NUMBER(CUPTI_ERROR_INVALID_DEVICE, CUPTI_INVALID_DEVICE),
	NUMBER(CUPTI_ERROR_INVALID_CONTEXT, CUPTI_INVALID_CONTEXT),
	NUMBER(CUPTI_ERROR_INVALID_OPERATION, CUPTI_INVALID_OPERATION),
	NUMBER(CUPTI_ERROR_MAX_LIMIT_REACHED, CUPTI_MAX_LIMIT_REACHED),
	NUMBER(CUPTI_ERROR_NOT_COMPATIBLE, CUPTI_NOT_COMPATIBLE),
	NUMBER(CUPTI_ERROR_NOT_INITIALIZED, CUPTI_NOT_INITIALIZED),
	NUMBER(CUPTI_ERROR_INVALID_KIND, CUPTI_INVALID_KIND),
	NUMBER(CUPTI_ERROR_NOT_SUPPORTED, CUPTI_NOT_SUPPORTED),
	NUMBER(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, CUPTI_INSUFFICIENT_PRIVILEGES),
	NUMBER(CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, CUPTI_LEGACY_PROFILER_NOT_SUPPORTED),
	NUMBER(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, CUPTI_MULTIPLE_SUBSCRIBERS),
	NUMBER(CUPTI_ERROR_UNKNOWN, CUPTI_UNKNOWN),

	NUMBER(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CUDA_CAPTURE_FIRST),
	NUMBER(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, CUDA_CAPTURE_UNMATCHED),
	NUMBER(CUDA_ERROR_CAPTURED_EVENT, CUDA_CAPTURE_LAST),

	NUMBER(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DOMAIN_DRIVER),
	NUMBER(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_DOMAIN_RUNTIME),
	NUMBER(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_DOMAIN_RESOURCE),
/* Older releases lack this domain. */
#if CUPTI_API_VERSION >= 22
	NUMBER(CUPTI_CB_DOMAIN_STATE, CUPTI_DOMAIN_STATE),
	NUMBER(CUPTI_CBID_STATE_FATAL_ERROR, CUPTI_STATE_FATAL_ERROR),
#endif
	NUMBER(CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, CUPTI_DRIVER_PROFILER_START),
	NUMBER(CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, CUPTI_DRIVER_PROFILER_STOP),
	NUMBER(CUPTI_DRIVER_TRACE_CBID_cuProfilerInitialize, CUPTI_DRIVER_PROFILER_INITIALIZE),
	NUMBER(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020, CUPTI_RUNTIME_DEVICE_RESET),
	NUMBER(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_RESOURCE_CONTEXT_CREATED),
	NUMBER(CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
	       CUPTI_RESOURCE_CONTEXT_DESTROY_STARTING),
	NUMBER(CUPTI_CBID_RESOURCE_STREAM_CREATED, CUPTI_RESOURCE_STREAM_CREATED),
	NUMBER(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, CUPTI_RESOURCE_MODULE_UNLOAD_STARTING),
	NUMBER(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_RESOURCE_GRAPHNODE_CREATED),
	NUMBER(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, CUPTI_RESOURCE_GRAPHNODE_CLONED),
	NUMBER(CUPTI_API_ENTER, CUPTI_ENTER),
	NUMBER(CUPTI_API_EXIT, CUPTI_EXIT),

	NUMBER(CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_KIND_MEMCPY),
	NUMBER(CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_KIND_MEMSET),
	NUMBER(CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_KIND_KERNEL),
	NUMBER(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_KIND_DRIVER),
	NUMBER(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_KIND_RUNTIME),
	NUMBER(CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_KIND_CONTEXT),
	NUMBER(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_KIND_CONCURRENT_KERNEL),
	NUMBER(CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_KIND_MEMCPY_PEER),
	NUMBER(CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_KIND_OVERHEAD),
	NUMBER(CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_KIND_RECORDED),
	NUMBER(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED, CUPTI_MANAGED_NOT_SUPPORTED),
	NUMBER(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE,
	       CUPTI_MANAGED_DEVICE_NOT_SUPPORTED),
	NUMBER(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES,
	       CUPTI_MANAGED_NEEDS_PEERS),
#if CUPTI_API_VERSION >= 9
	NUMBER(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS, CUPTI_MANAGED_NOT_WITH_MPS),
#endif
	NUMBER(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, CUPTI_KIND_MANAGED),
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
	       CUPTI_MANAGED_HOST_TO_DEVICE),
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
	       CUPTI_MANAGED_DEVICE_TO_HOST),
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
	       CUPTI_MANAGED_HOST_FAULT),
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
	       CUPTI_MANAGED_DEVICE_FAULT),
#if CUPTI_API_VERSION >= 12
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING, CUPTI_MANAGED_THRASHING),
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING, CUPTI_MANAGED_THROTTLING),
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP, CUPTI_MANAGED_REMOTE_MAP),
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD,
	       CUPTI_MANAGED_DEVICE_TO_DEVICE),
#endif
	NUMBER(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
	       CUPTI_MANAGED_ONE_DEVICE),
	NUMBER(CUPTI_ACTIVITY_KIND_STREAM, CUPTI_KIND_STREAM),
	NUMBER(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_KIND_SYNCHRONIZATION),
	NUMBER(CUPTI_ACTIVITY_KIND_MEMORY, CUPTI_KIND_MEMORY),
#if CUPTI_API_VERSION >= 14
	NUMBER(CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_KIND_MEMORY2),
#endif
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER, CUPTI_OVERHEAD_COMPILER),
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, CUPTI_OVERHEAD_FLUSH),
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION, CUPTI_OVERHEAD_INSTRUMENTATION),
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE, CUPTI_OVERHEAD_RESOURCE),
#if CUPTI_API_VERSION >= 130000
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING, CUPTI_OVERHEAD_MODULE),
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING, CUPTI_OVERHEAD_FUNCTION),
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL, CUPTI_OVERHEAD_COMMANDS),
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST, CUPTI_OVERHEAD_BUFFER),
	NUMBER(CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT, CUPTI_OVERHEAD_MANAGED),
#endif
	NUMBER(CUPTI_ACTIVITY_OBJECT_THREAD, CUPTI_OBJECT_THREAD),
	NUMBER(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT, CUPTI_STREAM_DEFAULT),
	NUMBER(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING, CUPTI_STREAM_NON_BLOCKING),
	NUMBER(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE, CUPTI_WAIT_EVENT),
	NUMBER(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, CUPTI_WAIT_STREAM_EVENT),
	NUMBER(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, CUPTI_WAIT_STREAM),
	NUMBER(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, CUPTI_WAIT_CONTEXT),
#if CUPTI_API_VERSION >= 14
	NUMBER(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION, CUPTI_MEMORY_ALLOCATED),
	NUMBER(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE, CUPTI_MEMORY_RELEASED),
#endif
	NUMBER(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, CUPTI_FLUSH_FORCED),
	NUMBER(ACTIVITY_RECORD_ALIGNMENT, CUPTI_BUFFER_ALIGNMENT),
	NUMBER(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM, 1),

	NUMBER(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, CUDA_MULTIPROCESSORS),
	NUMBER(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, CUDA_THREADS),
	NUMBER(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CUDA_COMPUTE_MAJOR),
	NUMBER(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, CUDA_COMPUTE_MINOR),
	NUMBER(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, CUDA_SHARED),
	NUMBER(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, CUDA_REGISTERS),
	NUMBER(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, CUDA_BLOCKS),
	NUMBER(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, CUDA_BLOCK_REGISTERS),
	NUMBER(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, CUDA_BLOCK_SHARED),
	NUMBER(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, CUDA_RESERVED_SHARED),

	NUMBER(CU_FUNC_CACHE_PREFER_NONE, CUPTI_CACHE_NONE),
	NUMBER(CU_FUNC_CACHE_PREFER_SHARED, CUPTI_CACHE_SHARED),
	NUMBER(CU_FUNC_CACHE_PREFER_L1, CUPTI_CACHE_L1),
	NUMBER(CU_FUNC_CACHE_PREFER_EQUAL, CUPTI_CACHE_EQUAL),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_COPY_HOST_TO_DEVICE),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_COPY_DEVICE_TO_HOST),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_HTOA, CUPTI_COPY_HOST_TO_ARRAY),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_ATOH, CUPTI_COPY_ARRAY_TO_HOST),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_ATOA, CUPTI_COPY_ARRAY_TO_ARRAY),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_ATOD, CUPTI_COPY_ARRAY_TO_DEVICE),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_DTOA, CUPTI_COPY_DEVICE_TO_ARRAY),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, CUPTI_COPY_DEVICE_TO_DEVICE),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, CUPTI_COPY_HOST_TO_HOST),
	NUMBER(CUPTI_ACTIVITY_MEMCPY_KIND_PTOP, CUPTI_COPY_PEER_TO_PEER),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN, CUPTI_MEMORY_UNKNOWN),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE, CUPTI_MEMORY_PAGEABLE),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_PINNED, CUPTI_MEMORY_PINNED),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, CUPTI_MEMORY_DEVICE),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_ARRAY, CUPTI_MEMORY_ARRAY),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_MANAGED, CUPTI_MEMORY_MANAGED),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC, CUPTI_MEMORY_DEVICE_STATIC),
	NUMBER(CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC, CUPTI_MEMORY_MANAGED_STATIC),
	NUMBER(CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC, CUPTI_ASYNCHRONOUS),
	NUMBER(CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC, CUPTI_ASYNCHRONOUS),
};

static void test_numbers(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		if (numbers[i].theirs == numbers[i].ours)
			continue;
		print_error("%s is %ld, not %ld\n", numbers[i].name, numbers[i].theirs,
			    numbers[i].ours);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

struct prototype {
	const char *name;
	bool same;
};

/* Functions that the oldest supported headers lack. */
#if CUPTI_API_VERSION < 23
CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId callback, uint8_t enable);
CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId callback, uint8_t enable);
#endif

#if CUDA_VERSION < 12040
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size);
#endif

#define SAME(function, type) __builtin_types_compatible_p(__typeof__(function), type)

/* CUPTI calls the callbacks: they must be equal except for the types of handles. */
static const struct prototype callbacks[] = {
	{"CUpti_CallbackFunc", SAME(*(CUpti_CallbackFunc)0, cupti_callback_function)},
	{"CUpti_BuffersCallbackRequestFunc",
	 SAME(*(CUpti_BuffersCallbackRequestFunc)0, cupti_buffer_requested)},
	{"CUpti_BuffersCallbackCompleteFunc",
	 SAME(*(CUpti_BuffersCallbackCompleteFunc)0,
	      void(CUcontext, uint32_t, uint8_t *, size_t, size_t)) &&
		 SAME(cupti_buffer_completed,
		      void(cuda_context, uint32_t, uint8_t *, size_t, size_t))},
};

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static const struct prototype profiler_initialize = {
	"cuProfilerInitialize",
	SAME(cuProfilerInitialize,
	     CUresult(__typeof__(((struct cupti_profiler_initialize *)0)->config),
		      __typeof__(((struct cupti_profiler_initialize *)0)->output), CUoutput_mode)),
};

/* computeprof's prototypes. */
#define NEED(function, parameters) typedef int ours_##function parameters;
#define MAY			   NEED
#define FUNCTION		   NEED
#include "backend/cuda/cupti.def"
#include "backend/cuda/driver.def"
#undef NEED
#undef FUNCTION

/* In the lists the types are replaced by CUPTI's, so that a wrong pointer type is detected. Enums
 * are uint32_t there, which is compatible in C. Parameters that are int instead have a line of
 * their own. */
static const struct prototype functions[] = {
	{"GetResultString", SAME(cuptiGetResultString, CUptiResult(CUptiResult, const char **)) &&
				    SAME(ours_GetResultString, int(int, const char **))},
	{"cuDeviceGetAttribute",
	 SAME(cuDeviceGetAttribute, CUresult(int *, CUdevice_attribute, CUdevice)) &&
		 SAME(ours_cuDeviceGetAttribute, int(int *, int, cuda_device))},
	{"cuDeviceGetUuid", SAME(cuDeviceGetUuid, CUresult(CUuuid *, CUdevice)) &&
				    SAME(ours_cuDeviceGetUuid, int(unsigned char *, cuda_device))},
#define cupti_subscriber	CUpti_SubscriberHandle
#define cupti_record		CUpti_Activity
#define cupti_managed_config	CUpti_ActivityUnifiedMemoryCounterConfig
#define cupti_callback_function __typeof__(*(CUpti_CallbackFunc)0)
#define cupti_buffer_requested	__typeof__(*(CUpti_BuffersCallbackRequestFunc)0)
#define cupti_buffer_completed	__typeof__(*(CUpti_BuffersCallbackCompleteFunc)0)
#define cuda_context		CUcontext
#define cuda_stream		CUstream
#define cuda_device		CUdevice
#define cuda_function		CUfunction
#define cuda_node		CUgraphNode
#define struct /* CUpti_Activity has no tag */
#define NEED(function, parameters)     {#function, SAME(cupti##function, CUptiResult parameters)},
#define FUNCTION(function, parameters) {#function, SAME(function, CUresult parameters)},
#include "backend/cuda/cupti.def"
#include "backend/cuda/driver.def"
#undef struct
};

/* Returns the number of prototypes in the list that match none of their lines. */
static int strange(const struct prototype *list, size_t count)
{
	int wrong = 0;

	for (size_t i = 0; i < count; i++) {
		bool same = false;

		for (size_t j = 0; j < count; j++)
			same |= list[j].same && !strcmp(list[j].name, list[i].name);
		if (same)
			continue;
		print_error("%s has another prototype\n", list[i].name);
		wrong++;
	}
	return wrong;
}

static void test_functions(void **state)
{
	(void)state;
	assert_true(COUNT(functions) > 2);
	assert_int_equal(strange(functions, COUNT(functions)), 0);
}

static void test_callbacks(void **state)
{
	(void)state;
	assert_int_equal(strange(callbacks, COUNT(callbacks)), 0);
}

/* CUPTI passes the parameters in a struct in their order. */
static void test_profiler_initialize(void **state)
{
	(void)state;
	assert_int_equal(strange(&profiler_initialize, 1), 0);
	assert_int_equal(sizeof(((struct cupti_profiler_initialize *)0)->mode),
			 sizeof(CUoutput_mode));
	assert_int_equal(CU_OUT_KEY_VALUE_PAIR, 0);
	assert_int_equal(CU_OUT_CSV, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_callbacks),
		cmocka_unit_test(test_profiler_initialize),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
