/* SPDX-License-Identifier: MIT */
/* Compares computeprof's declarations of CUPTI and the driver with the headers of a toolkit:
 * layouts. Numbers and prototypes are in test_cupti_names.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <cupti_activity.h>
#include <cupti_version.h>

#include "backend/cuda/cupti.h"
#include "cupti_layouts.h"

#define KERNEL(record)                                                                             \
	PREFIX(record, cupti_kernel)                                                               \
	FIELD(record, kind, cupti_kernel, kind)                                                    \
	FIELD(record, cacheConfig, cupti_kernel, cache)                                            \
	FIELD(record, sharedMemoryConfig, cupti_kernel, shared_config)                             \
	FIELD(record, registersPerThread, cupti_kernel, registers)                                 \
	FIELD(record, partitionedGlobalCacheRequested, cupti_kernel, partitioned_requested)        \
	FIELD(record, partitionedGlobalCacheExecuted, cupti_kernel, partitioned_executed)          \
	FIELD(record, start, cupti_kernel, start)                                                  \
	FIELD(record, end, cupti_kernel, end)                                                      \
	FIELD(record, completed, cupti_kernel, completed)                                          \
	FIELD(record, deviceId, cupti_kernel, device)                                              \
	FIELD(record, contextId, cupti_kernel, context)                                            \
	FIELD(record, streamId, cupti_kernel, stream)                                              \
	FIELD(record, gridX, cupti_kernel, grid[0])                                                \
	FIELD(record, gridY, cupti_kernel, grid[1])                                                \
	FIELD(record, gridZ, cupti_kernel, grid[2])                                                \
	FIELD(record, blockX, cupti_kernel, block[0])                                              \
	FIELD(record, blockY, cupti_kernel, block[1])                                              \
	FIELD(record, blockZ, cupti_kernel, block[2])                                              \
	FIELD(record, staticSharedMemory, cupti_kernel, static_shared)                             \
	FIELD(record, dynamicSharedMemory, cupti_kernel, dynamic_shared)                           \
	FIELD(record, localMemoryPerThread, cupti_kernel, local_thread)                            \
	FIELD(record, localMemoryTotal, cupti_kernel, local_total)                                 \
	FIELD(record, correlationId, cupti_kernel, correlation)                                    \
	FIELD(record, gridId, cupti_kernel, grid_id)                                               \
	FIELD(record, name, cupti_kernel, name)                                                    \
	FIELD(record, reserved0, cupti_kernel, reserved)

#define KERNEL4(record)                                                                            \
	KERNEL(record)                                                                             \
	PREFIX(record, cupti_kernel4)                                                              \
	FIELD(record, queued, cupti_kernel4, queued)                                               \
	FIELD(record, submitted, cupti_kernel4, submitted)                                         \
	FIELD(record, launchType, cupti_kernel4, launch_type)                                      \
	FIELD(record, isSharedMemoryCarveoutRequested, cupti_kernel4, carveout_is_requested)       \
	FIELD(record, sharedMemoryCarveoutRequested, cupti_kernel4, carveout_requested)            \
	FIELD(record, sharedMemoryExecuted, cupti_kernel4, shared_executed)

/* Kernel3 has no further members, so all of it is compared. */
static void test_kernels(void **state)
{
	static const struct place places[] = {
		{"the size of CUpti_ActivityKernel3", sizeof(CUpti_ActivityKernel3),
		 sizeof(struct cupti_kernel)},
		{"the size of CUpti_ActivityKernel4", sizeof(CUpti_ActivityKernel4),
		 sizeof(struct cupti_kernel4)},
		KERNEL(CUpti_ActivityKernel3)
#if CUPTI_API_VERSION >= 13
		FIELD(CUpti_ActivityKernel5, graphNodeId, cupti_kernel5, graph_node)
#endif
#define DO(record) KERNEL4(record)
			CUPTI_KERNELS
#undef DO
	};

	(void)state;
	CHECK(places);
}

static void test_cache_bits(void **state)
{
	CUpti_ActivityKernel3 theirs;
	struct cupti_kernel ours;

	(void)state;
	memset(&theirs, 0, sizeof(theirs));
	theirs.cacheConfig.config.requested = CUPTI_CACHE_L1;
	theirs.cacheConfig.config.executed = CUPTI_CACHE_EQUAL;
	memcpy(&ours, &theirs, sizeof(ours));
	assert_int_equal(ours.cache & 0xf, CUPTI_CACHE_L1);
	assert_int_equal(ours.cache >> 4, CUPTI_CACHE_EQUAL);
}

#define COPY(record, type)                                                                         \
	PREFIX(record, type)                                                                       \
	FIELD(record, kind, type, kind)                                                            \
	FIELD(record, copyKind, type, copy)                                                        \
	FIELD(record, srcKind, type, source)                                                       \
	FIELD(record, dstKind, type, target)                                                       \
	FIELD(record, flags, type, flags)                                                          \
	FIELD(record, bytes, type, bytes)                                                          \
	FIELD(record, start, type, start)                                                          \
	FIELD(record, end, type, end)                                                              \
	FIELD(record, deviceId, type, device)                                                      \
	FIELD(record, contextId, type, context)                                                    \
	FIELD(record, streamId, type, stream)                                                      \
	FIELD(record, correlationId, type, correlation)

static void test_copies(void **state)
{
	static const struct place places[] = {
#define DO(record) COPY(record, cupti_memcpy)
		CUPTI_COPIES
#undef DO
#if CUPTI_API_VERSION >= 13
			FIELD(CUpti_ActivityMemcpy3, graphNodeId, cupti_memcpy3, graph_node)
#endif
	};

	(void)state;
	CHECK(places);
}

static void test_peer_copies(void **state)
{
	static const struct place places[] = {
#define DO(record)                                                                                 \
	COPY(record, cupti_memcpy_peer)                                                            \
	FIELD(record, srcDeviceId, cupti_memcpy_peer, source_device)                               \
	FIELD(record, srcContextId, cupti_memcpy_peer, source_context)                             \
	FIELD(record, dstDeviceId, cupti_memcpy_peer, target_device)                               \
	FIELD(record, dstContextId, cupti_memcpy_peer, target_context)
		CUPTI_PEER_COPIES
#undef DO
#if CUPTI_API_VERSION >= 13
			FIELD(CUpti_ActivityMemcpyPtoP2, graphNodeId, cupti_memcpy_peer2,
			      graph_node)
#endif
	};

	(void)state;
	CHECK(places);
}

static void test_memsets(void **state)
{
	static const struct place places[] = {
#define DO(record)                                                                                 \
	PREFIX(record, cupti_memset)                                                               \
	FIELD(record, kind, cupti_memset, kind)                                                    \
	FIELD(record, value, cupti_memset, value)                                                  \
	FIELD(record, bytes, cupti_memset, bytes)                                                  \
	FIELD(record, start, cupti_memset, start)                                                  \
	FIELD(record, end, cupti_memset, end)                                                      \
	FIELD(record, deviceId, cupti_memset, device)                                              \
	FIELD(record, contextId, cupti_memset, context)                                            \
	FIELD(record, streamId, cupti_memset, stream)                                              \
	FIELD(record, correlationId, cupti_memset, correlation)                                    \
	FIELD(record, flags, cupti_memset, flags)                                                  \
	FIELD(record, memoryKind, cupti_memset, memory)
		CUPTI_MEMSETS
#undef DO
#if CUPTI_API_VERSION >= 13
			FIELD(CUpti_ActivityMemset2, graphNodeId, cupti_memset2, graph_node)
#endif
	};

	(void)state;
	CHECK(places);
}

/* clang-format off */
static void test_others(void **state)
{
	static const struct place places[] = {
		FIELD(CUpti_Activity, kind, cupti_record, kind)
		PREFIX(CUpti_ActivityAPI, cupti_api)
		FIELD(CUpti_ActivityAPI, kind, cupti_api, kind)
		FIELD(CUpti_ActivityAPI, cbid, cupti_api, callback)
		FIELD(CUpti_ActivityAPI, start, cupti_api, start)
		FIELD(CUpti_ActivityAPI, end, cupti_api, end)
		FIELD(CUpti_ActivityAPI, processId, cupti_api, process)
		FIELD(CUpti_ActivityAPI, threadId, cupti_api, thread)
		FIELD(CUpti_ActivityAPI, correlationId, cupti_api, correlation)
		FIELD(CUpti_ActivityAPI, returnValue, cupti_api, result)
#define DO(record)                                                                                 \
	PREFIX(record, cupti_context)                                                              \
	FIELD(record, kind, cupti_context, kind)                                                   \
	FIELD(record, contextId, cupti_context, context)                                           \
	FIELD(record, deviceId, cupti_context, device)                                             \
	FIELD(record, computeApiKind, cupti_context, api)                                          \
	FIELD(record, nullStreamId, cupti_context, null_stream)
		CUPTI_CONTEXTS
#undef DO
	};

	(void)state;
	CHECK(places);
}

static void test_callback_data(void **state)
{
	static const struct place places[] = {
		{"the size of CUpti_CallbackData", sizeof(CUpti_CallbackData),
		 sizeof(struct cupti_call)},
		FIELD(CUpti_CallbackData, callbackSite, cupti_call, site)
		FIELD(CUpti_CallbackData, functionName, cupti_call, function)
		FIELD(CUpti_CallbackData, functionParams, cupti_call, parameters)
		FIELD(CUpti_CallbackData, functionReturnValue, cupti_call, result)
		FIELD(CUpti_CallbackData, symbolName, cupti_call, symbol)
		FIELD(CUpti_CallbackData, context, cupti_call, context)
		FIELD(CUpti_CallbackData, contextUid, cupti_call, context_id)
		FIELD(CUpti_CallbackData, correlationData, cupti_call, correlation_data)
		FIELD(CUpti_CallbackData, correlationId, cupti_call, correlation)
		{"the size of CUpti_ResourceData", sizeof(CUpti_ResourceData),
		 sizeof(struct cupti_resource)},
		FIELD(CUpti_ResourceData, context, cupti_resource, context)
		FIELD(CUpti_ResourceData, resourceHandle.stream, cupti_resource, stream)
		FIELD(CUpti_ResourceData, resourceDescriptor, cupti_resource, descriptor)
		{"the size of CUpti_GraphData", sizeof(CUpti_GraphData),
		 sizeof(struct cupti_graph)},
		FIELD(CUpti_GraphData, node, cupti_graph, node)
		FIELD(CUpti_GraphData, originalNode, cupti_graph, original_node)
	};

	(void)state;
	CHECK(places);
}

/* Launches with attributes exist since CUDA 11.8. */
static void test_launch_config(void **state)
{
	(void)state;
#if CUDA_VERSION >= 11080
	static const struct place places[] = {
		{"the size of CUlaunchConfig", sizeof(CUlaunchConfig),
		 sizeof(struct cuda_launch_config)},
		FIELD(CUlaunchConfig, gridDimX, cuda_launch_config, grid[0])
		FIELD(CUlaunchConfig, blockDimX, cuda_launch_config, block[0])
		FIELD(CUlaunchConfig, sharedMemBytes, cuda_launch_config, shared)
		FIELD(CUlaunchConfig, hStream, cuda_launch_config, stream)
		FIELD(CUlaunchConfig, attrs, cuda_launch_config, attributes)
		FIELD(CUlaunchConfig, numAttrs, cuda_launch_config, count)
		{"the size of CUlaunchAttribute", sizeof(CUlaunchAttribute),
		 sizeof(struct cuda_launch_attribute)},
		FIELD(CUlaunchAttribute, id, cuda_launch_attribute, id)
		FIELD(CUlaunchAttribute, value, cuda_launch_attribute, value)
		FIELD(CUlaunchAttribute, value.cooperative, cuda_launch_attribute,
		      value.cooperative)
		{"CU_LAUNCH_ATTRIBUTE_COOPERATIVE", CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
		 CUDA_LAUNCH_COOPERATIVE},
	};

	CHECK(places);
#else
	skip();
#endif
}

/* clang-format on */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernels),	      cmocka_unit_test(test_cache_bits),
		cmocka_unit_test(test_copies),	      cmocka_unit_test(test_peer_copies),
		cmocka_unit_test(test_memsets),	      cmocka_unit_test(test_others),
		cmocka_unit_test(test_callback_data), cmocka_unit_test(test_launch_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
