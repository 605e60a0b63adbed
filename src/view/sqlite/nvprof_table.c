/* SPDX-License-Identifier: MIT */
#include "view/sqlite/schema.h"

#include <stddef.h>

/* clang-format off */
const struct schema_table nvprof_tables[] = {
	{ .name = "CUPTI_ACTIVITY_KIND_BRANCH", .index = "correlationId",
	  .columns = "_id_ sourceLocatorId correlationId functionId pcOffset diverged "
		     "threadsExecuted executed" },
	{ .name = "CUPTI_ACTIVITY_KIND_CDP_KERNEL", .index = "correlationId",
	  .columns = "_id_ cacheConfig:1 sharedMemoryConfig registersPerThread start end "
		     "deviceId contextId streamId gridX gridY gridZ blockX blockY blockZ "
		     "staticSharedMemory dynamicSharedMemory localMemoryPerThread "
		     "localMemoryTotal correlationId gridId parentGridId queued submitted "
		     "completed parentBlockX parentBlockY parentBlockZ name" },
	{ .name = "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", .index = "correlationId",
	  .columns = "_id_ cacheConfig:1 sharedMemoryConfig registersPerThread "
		     "partitionedGlobalCacheRequested partitionedGlobalCacheExecuted start "
		     "end completed deviceId contextId streamId gridX gridY gridZ blockX "
		     "blockY blockZ staticSharedMemory dynamicSharedMemory "
		     "localMemoryPerThread localMemoryTotal correlationId gridId name "
		     "queued submitted launchType isSharedMemoryCarveoutRequested "
		     "sharedMemoryCarveoutRequested sharedMemoryExecuted" },
	{ .name = "CUPTI_ACTIVITY_KIND_CONTEXT",
	  .columns = "_id_ contextId deviceId computeApiKind nullStreamId" },
	{ .name = "CUPTI_ACTIVITY_KIND_CUDA_EVENT", .index = "correlationId",
	  .columns = "_id_ correlationId contextId streamId eventId" },
	{ .name = "CUPTI_ACTIVITY_KIND_DEVICE",
	  .columns = "_id_ flags globalMemoryBandwidth globalMemorySize constantMemorySize "
		     "l2CacheSize numThreadsPerWarp coreClockRate numMemcpyEngines "
		     "numMultiprocessors maxIPC maxWarpsPerMultiprocessor "
		     "maxBlocksPerMultiprocessor maxSharedMemoryPerMultiprocessor "
		     "maxRegistersPerMultiprocessor maxRegistersPerBlock "
		     "maxSharedMemoryPerBlock maxThreadsPerBlock maxBlockDimX maxBlockDimY "
		     "maxBlockDimZ maxGridDimX maxGridDimY maxGridDimZ "
		     "computeCapabilityMajor computeCapabilityMinor id eccEnabled uuid:16 "
		     "name" },
	{ .name = "CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE",
	  .columns = "_id_ flags deviceId attribute:4 value:8" },
	{ .name = "CUPTI_ACTIVITY_KIND_DRIVER", .index = "correlationId",
	  .columns = "_id_ cbid start end processId threadId correlationId returnValue" },
	{ .name = "CUPTI_ACTIVITY_KIND_ENVIRONMENT", .index = "timestamp",
	  .columns = "_id_ deviceId timestamp environmentKind data:20" },
	{ .name = "CUPTI_ACTIVITY_KIND_EVENT", .index = "correlationId",
	  .columns = "_id_ id value domain correlationId" },
	{ .name = "CUPTI_ACTIVITY_KIND_EVENT_INSTANCE", .index = "correlationId",
	  .columns = "_id_ id domain instance value correlationId" },
	{ .name = "CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION", .index = "correlationId",
	  .columns = "_id_ externalKind externalId correlationId" },
	{ .name = "CUPTI_ACTIVITY_KIND_FUNCTION",
	  .columns = "_id_ id contextId moduleId functionIndex name" },
	{ .name = "CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS", .index = "correlationId",
	  .columns = "_id_ flags sourceLocatorId correlationId functionId executed "
		     "pcOffset threadsExecuted l2_transactions theoreticalL2Transactions" },
	{ .name = "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT", .index = "timestamp",
	  .columns = "_id_ id value timestamp deviceId" },
	{ .name = "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT_INSTANCE", .index = "timestamp",
	  .columns = "_id_ id value timestamp deviceId instance" },
	{ .name = "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC", .index = "timestamp",
	  .columns = "_id_ id value:8 timestamp deviceId flags" },
	{ .name = "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC_INSTANCE", .index = "timestamp",
	  .columns = "_id_ id value:8 timestamp deviceId flags instance" },
	{ .name = "CUPTI_ACTIVITY_KIND_INSTRUCTION_CORRELATION",
	  .columns = "_id_ flags sourceLocatorId functionId pcOffset" },
	{ .name = "CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION", .index = "correlationId",
	  .columns = "_id_ flags sourceLocatorId correlationId functionId pcOffset "
		     "threadsExecuted notPredOffThreadsExecuted executed" },
	{ .name = "CUPTI_ACTIVITY_KIND_KERNEL", .index = "correlationId",
	  .columns = "_id_ cacheConfig:1 sharedMemoryConfig registersPerThread "
		     "partitionedGlobalCacheRequested partitionedGlobalCacheExecuted start "
		     "end completed deviceId contextId streamId gridX gridY gridZ blockX "
		     "blockY blockZ staticSharedMemory dynamicSharedMemory "
		     "localMemoryPerThread localMemoryTotal correlationId gridId name "
		     "queued submitted launchType isSharedMemoryCarveoutRequested "
		     "sharedMemoryCarveoutRequested sharedMemoryExecuted" },
	{ .name = "CUPTI_ACTIVITY_KIND_MARKER", .index = "timestamp",
	  .columns = "_id_ flags timestamp id objectKind objectId:12 name domain" },
	{ .name = "CUPTI_ACTIVITY_KIND_MARKER_DATA",
	  .columns = "_id_ flags id payloadKind payload:8 color category" },
	{ .name = "CUPTI_ACTIVITY_KIND_MEMCPY", .index = "correlationId",
	  .columns = "_id_ copyKind srcKind dstKind flags bytes start end deviceId "
		     "contextId streamId correlationId runtimeCorrelationId" },
	{ .name = "CUPTI_ACTIVITY_KIND_MEMCPY2", .index = "correlationId",
	  .columns = "_id_ copyKind srcKind dstKind flags bytes start end deviceId "
		     "contextId streamId srcDeviceId srcContextId dstDeviceId dstContextId "
		     "correlationId" },
	{ .name = "CUPTI_ACTIVITY_KIND_MEMORY", .index = "start",
	  .columns = "_id_ memoryKind address bytes start end allocPC freePC processId "
		     "deviceId contextId name" },
	{ .name = "CUPTI_ACTIVITY_KIND_MEMSET", .index = "correlationId",
	  .columns = "_id_ value bytes start end deviceId contextId streamId correlationId "
		     "flags memoryKind" },
	{ .name = "CUPTI_ACTIVITY_KIND_METRIC", .index = "correlationId",
	  .columns = "_id_ id value:8 correlationId flags" },
	{ .name = "CUPTI_ACTIVITY_KIND_METRIC_INSTANCE", .index = "correlationId",
	  .columns = "_id_ id value:8 instance correlationId flags" },
	{ .name = "CUPTI_ACTIVITY_KIND_MODULE",
	  .columns = "_id_ contextId id cubinSize cubin:B" },
	{ .name = "CUPTI_ACTIVITY_KIND_NAME",
	  .columns = "_id_ objectKind objectId:12 name" },
	{ .name = "CUPTI_ACTIVITY_KIND_NVLINK",
	  .columns = "_id_ nvlinkVersion typeDev0 typeDev1 idDev0:16 idDev1:16 flag "
		     "physicalNvLinkCount portDev0:32 portDev1:32 bandwidth "
		     "nvswitchConnected" },
	{ .name = "CUPTI_ACTIVITY_KIND_OPENACC_DATA", .index = "start",
	  .columns = "_id_ eventKind parentConstruct version implicit deviceType "
		     "deviceNumber threadId async asyncMap lineNo endLineNo funcLineNo "
		     "funcEndLineNo start end cuDeviceId cuContextId cuStreamId "
		     "cuProcessId cuThreadId externalId srcFile funcName bytes hostPtr "
		     "devicePtr varName" },
	{ .name = "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", .index = "start",
	  .columns = "_id_ eventKind parentConstruct version implicit deviceType "
		     "deviceNumber threadId async asyncMap lineNo endLineNo funcLineNo "
		     "funcEndLineNo start end cuDeviceId cuContextId cuStreamId "
		     "cuProcessId cuThreadId externalId srcFile funcName numGangs "
		     "numWorkers vectorLength kernelName" },
	{ .name = "CUPTI_ACTIVITY_KIND_OPENACC_OTHER", .index = "start",
	  .columns = "_id_ eventKind parentConstruct version implicit deviceType "
		     "deviceNumber threadId async asyncMap lineNo endLineNo funcLineNo "
		     "funcEndLineNo start end cuDeviceId cuContextId cuStreamId "
		     "cuProcessId cuThreadId externalId srcFile funcName" },
	{ .name = "CUPTI_ACTIVITY_KIND_OPENMP", .index = "start",
	  .columns = "_id_ eventKind version threadId start end cuProcessId cuThreadId" },
	{ .name = "CUPTI_ACTIVITY_KIND_OVERHEAD", .index = "start",
	  .columns = "_id_ overheadKind objectKind objectId:12 start end" },
	{ .name = "CUPTI_ACTIVITY_KIND_PCIE",
	  .columns = "_id_ type id:4 domain pcieGeneration linkRate linkWidth upstreamBus "
		     "attr:144" },
	{ .name = "CUPTI_ACTIVITY_KIND_PC_SAMPLING", .index = "correlationId",
	  .columns = "_id_ flags sourceLocatorId correlationId functionId latencySamples "
		     "samples stallReason pcOffset" },
	{ .name = "CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO", .index = "correlationId",
	  .columns = "_id_ correlationId totalSamples droppedSamples "
		     "samplingPeriodInCycles" },
	{ .name = "CUPTI_ACTIVITY_KIND_PREEMPTION", .index = "timestamp",
	  .columns = "_id_ preemptionKind timestamp gridId blockX blockY blockZ" },
	{ .name = "CUPTI_ACTIVITY_KIND_RUNTIME", .index = "correlationId",
	  .columns = "_id_ cbid start end processId threadId correlationId returnValue" },
	{ .name = "CUPTI_ACTIVITY_KIND_SHARED_ACCESS", .index = "correlationId",
	  .columns = "_id_ flags sourceLocatorId correlationId functionId pcOffset "
		     "threadsExecuted sharedTransactions theoreticalSharedTransactions "
		     "executed" },
	{ .name = "CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR",
	  .columns = "_id_ id lineNumber fileName" },
	{ .name = "CUPTI_ACTIVITY_KIND_STREAM", .index = "correlationId",
	  .columns = "_id_ contextId streamId priority flag correlationId" },
	{ .name = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", .index = "correlationId",
	  .columns = "_id_ type start end correlationId contextId streamId cudaEventId" },
	{ .name = "CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER", .index = "start",
	  .columns = "_id_ counterKind value start end address srcId dstId streamId "
		     "processId flags" },
	{ .name = "StringTable",
	  .columns = "_id_ value:U" },
	{ .name = "Version",
	  .columns = "version:N" },

	/* computeprof's own tables, for data that nvprof's unchanged tables have no place for. */
	{ .name = "CP_PROCESS",
	  .columns = "_id_ processId start end lost cutOff tool lostEvents command" },
	{ .name = "CP_DEVICE",
	  .columns = "_id_ deviceId api number" },
	{ .name = "CP_CONTEXT",
	  .columns = "_id_ contextId api number" },
	{ .name = "CP_API_NAME", .index = "correlationId",
	  .columns = "_id_ correlationId name" },
	{ .name = "CP_COUNTER", .index = "correlationId",
	  .columns = "_id_ correlationId deviceId name value:R isReal" },
	{ .name = "CP_KNOWN", .index = "correlationId",
	  .columns = "_id_ correlationId known" },
	{ .name = "CP_UNTIMED", .index = "correlationId",
	  .columns = "_id_ kind flags deviceId contextId streamId name bytes correlationId" },
	{ .name = NULL },
};
/* clang-format on */
