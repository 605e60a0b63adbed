/* SPDX-License-Identifier: MIT */
#include "view/sqlite/schema.h"

#include <stddef.h>

/* clang-format off */
/* Memsets and NVTX as of 2022.2. */
const struct schema_table nsys_tables[] = {
	{ .name = "ANALYSIS_DETAILS",
	  .columns = "globalVid:L duration:L startTime:L stopTime:L" },
	{ .name = "CUPTI_ACTIVITY_KIND_KERNEL",
	  .columns = "start:L end:L deviceId:L contextId:L greenContextId:N streamId:L "
		     "correlationId:N globalPid:N demangledName:L shortName:L "
		     "mangledName:N launchType:N cacheConfig:N registersPerThread:L "
		     "gridX:L gridY:L gridZ:L blockX:L blockY:L blockZ:L "
		     "staticSharedMemory:L dynamicSharedMemory:L localMemoryPerThread:L "
		     "localMemoryTotal:L gridId:L sharedMemoryExecuted:N graphNodeId:N "
		     "sharedMemoryLimitConfig:N" },
	{ .name = "CUPTI_ACTIVITY_KIND_MEMCPY",
	  .columns = "start:L end:L deviceId:L contextId:L greenContextId:N streamId:L "
		     "correlationId:N globalPid:N bytes:L copyKind:L deprecatedSrcId:N "
		     "srcKind:N dstKind:N srcDeviceId:N srcContextId:N dstDeviceId:N "
		     "dstContextId:N migrationCause:N graphNodeId:N virtualAddress:N" },
	{ .name = "CUPTI_ACTIVITY_KIND_MEMSET",
	  .columns = "start:L end:L deviceId:L contextId:L streamId:L correlationId:N "
		     "globalPid:N value:L bytes:L graphNodeId:N memKind:N" },
	{ .name = "CUPTI_ACTIVITY_KIND_RUNTIME",
	  .columns = "start:L end:L eventClass:L globalTid:N correlationId:N nameId:L "
		     "returnValue:L callchainId:N" },
	{ .name = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
	  .columns = "start:L end:L deviceId:L contextId:L greenContextId:N streamId:L "
		     "correlationId:N globalPid:N syncType:L eventId:L" },
	{ .name = "CUDA_GPU_MEMORY_USAGE_EVENTS",
	  .columns = "start:L globalPid:L deviceId:L contextId:L address:L pc:L bytes:L "
		     "memKind:L memoryOperationType:L name:T correlationId:N streamId:N "
		     "localMemoryPoolAddress:N localMemoryPoolReleaseThreshold:N "
		     "localMemoryPoolSize:N localMemoryPoolUtilizedSize:N "
		     "importedMemoryPoolAddress:N importedMemoryPoolProcessId:N" },
	{ .name = "ENUM_CUDA_MEMCPY_OPER",
	  .columns = "id:P name:T label:T" },
	{ .name = "ENUM_CUDA_MEM_KIND",
	  .columns = "id:P name:T label:T" },
	{ .name = "META_DATA_EXPORT",
	  .columns = "name:S value:T" },
	{ .name = "NVTX_EVENTS",
	  .columns = "start:L end:N eventType:L rangeId:N category:N color:N text:T "
		     "globalTid:N endGlobalTid:N textId:N domainId:N uint64Value:N "
		     "int64Value:N doubleValue:F uint32Value:N int32Value:N floatValue:F "
		     "jsonTextId:N jsonText:T" },
	{ .name = "PROCESSES",
	  .columns = "globalPid:N pid:N name:T" },
	{ .name = "StringIds",
	  .columns = "id:P value:S" },
	{ .name = "TARGET_INFO_CUDA_CONTEXT_INFO",
	  .columns = "nullStreamId:L hwId:L vmId:L processId:L deviceId:L contextId:L "
		     "parentContextId:N isGreenContext:N" },
	{ .name = "TARGET_INFO_CUDA_STREAM",
	  .columns = "streamId:L hwId:L vmId:L processId:L contextId:L priority:L flag:L" },
	{ .name = "TARGET_INFO_GPU",
	  .columns = "vmId:L id:L name:T busLocation:T isDiscrete:N l2CacheSize:N "
		     "totalMemory:N memoryBandwidth:N clockRate:N smCount:N pwGpuId:N "
		     "uuid:T luid:N chipName:T cuDevice:N ctxswDevPath:T ctrlDevPath:T "
		     "revision:N nodeMask:N constantMemory:N maxIPC:N "
		     "maxRegistersPerBlock:N maxShmemPerBlock:N maxShmemPerBlockOptin:N "
		     "maxShmemPerSm:N maxRegistersPerSm:N threadsPerWarp:N "
		     "asyncEngines:N maxWarpsPerSm:N maxBlocksPerSm:N "
		     "maxThreadsPerBlock:N maxBlockDimX:N maxBlockDimY:N maxBlockDimZ:N "
		     "maxGridDimX:N maxGridDimY:N maxGridDimZ:N computeMajor:N "
		     "computeMinor:N smMajor:N smMinor:N" },
	{ .name = "TARGET_INFO_SESSION_START_TIME",
	  .columns = "utcEpochNs:N utcTime:T localTime:T" },

	/* computeprof's own tables, as in nvprof_table.c. */
	{ .name = "CP_PROCESS",
	  .columns = "_id_ processId start end lost cutOff tool lostEvents command" },
	{ .name = "CP_DEVICE",
	  .columns = "_id_ deviceId api number" },
	{ .name = "CP_CONTEXT",
	  .columns = "_id_ contextId api number" },
	{ .name = "CP_COUNTER",
	  .columns = "_id_ correlationId deviceId name value:R isReal" },
	{ .name = "CP_KNOWN",
	  .columns = "_id_ correlationId known" },
	{ .name = "CP_UNTIMED",
	  .columns = "_id_ kind flags deviceId contextId streamId name bytes "
		     "correlationId" },
	{ .name = NULL },
};
/* clang-format on */
