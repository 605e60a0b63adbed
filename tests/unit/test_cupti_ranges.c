/* SPDX-License-Identifier: MIT */
/* Compares computeprof's declarations of CUPTI's Range Profiler and Profiler Host API with the
 * headers of a toolkit of CUDA 12.6 or later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cupti_result.h>
#include <cupti_version.h>

#include "backend/cuda/counters/ranges.h"

#if __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "cupti_equal.h"

/* clang-format off */
#define FUNCTION(name, parameters) typedef int ours_##name parameters;
#include "backend/cuda/counters/ranges.def"
#undef FUNCTION

static const struct pair target[] = {
#define THIS CUpti_Profiler_Initialize_Params
#define OURS range_initialize
	TAKES(ProfilerInitialize)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_DeviceSupported_Params
#define OURS range_device_supported
	TAKES(ProfilerDeviceSupported)
	FIELD(cuDevice, device)
	FIELD(isSupported, supported)
	FIELD(architecture, architecture)
	FIELD(sli, sli)
	FIELD(vGpu, virtual_gpu)
	FIELD(confidentialCompute, confidential)
	FIELD(cmp, mining)
	FIELD(wsl, wsl)
	FIELD(api, profiler)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_GetCounterAvailability_Params
#define OURS range_availability
	TAKES(ProfilerGetCounterAvailability)
	FIELD(ctx, context)
	FIELD(counterAvailabilityImageSize, bytes)
	FIELD(pCounterAvailabilityImage, image)
#undef OURS
#if CUPTI_API_VERSION >= 130100
#define OURS range_device_availability
	FIELD(bAllowDeviceLevelCounters, device_level)
#undef OURS
#endif
#undef THIS
#define THIS CUpti_Device_GetChipName_Params
#define OURS range_chip_name
	TAKES(DeviceGetChipName)
	FIELD(deviceIndex, device)
	FIELD(pChipName, name)
#undef THIS
#undef OURS
	NUMBER(CUPTI_PROFILER_RANGE_PROFILING, 0)
	NUMBER(CUPTI_PROFILER_CONFIGURATION_UNKNOWN, RANGE_SUPPORT_UNKNOWN)
	NUMBER(CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED, RANGE_UNSUPPORTED)
	NUMBER(CUPTI_PROFILER_CONFIGURATION_DISABLED, RANGE_DISABLED)
	NUMBER(CUPTI_PROFILER_CONFIGURATION_SUPPORTED, RANGE_SUPPORTED)
	NUMBER(CUPTI_AutoRange, RANGE_AUTO)
	NUMBER(CUPTI_UserRange, RANGE_USER)
	NUMBER(CUPTI_KernelReplay, RANGE_KERNEL_REPLAY)
	NUMBER(CUPTI_UserReplay, RANGE_USER_REPLAY)
};

static const struct pair ranges[] = {
#define THIS CUpti_RangeProfiler_Enable_Params
#define OURS range_enable
	TAKES(RangeProfilerEnable)
	FIELD(ctx, context)
	FIELD(pRangeProfilerObject, object)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_Disable_Params
#define OURS range_disable
	TAKES(RangeProfilerDisable)
	FIELD(pRangeProfilerObject, object)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_Start_Params
#define OURS range_disable
	TAKES(RangeProfilerStart)
	FIELD(pRangeProfilerObject, object)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_Stop_Params
#define OURS range_stop
	TAKES(RangeProfilerStop)
	FIELD(pRangeProfilerObject, object)
	FIELD(passIndex, pass)
	FIELD(targetNestingLevel, nesting)
	FIELD(isAllPassSubmitted, all_passes)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_SetConfig_Params
#define OURS range_config
	TAKES(RangeProfilerSetConfig)
	FIELD(pRangeProfilerObject, object)
	FIELD(configSize, config_bytes)
	FIELD(pConfig, config)
	FIELD(counterDataImageSize, data_bytes)
	FIELD(pCounterDataImage, data)
	FIELD(range, mode)
	FIELD(replayMode, replay)
	FIELD(maxRangesPerPass, ranges_per_pass)
	FIELD(numNestingLevels, nesting_levels)
	FIELD(minNestingLevel, least_nesting)
	FIELD(passIndex, pass)
	FIELD(targetNestingLevel, nesting)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_DecodeData_Params
#define OURS range_decode
	TAKES(RangeProfilerDecodeData)
	FIELD(pRangeProfilerObject, object)
	FIELD(numOfRangeDropped, dropped)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_GetCounterDataSize_Params
#define OURS range_data_size
	TAKES(RangeProfilerGetCounterDataSize)
	FIELD(pRangeProfilerObject, object)
	FIELD(pMetricNames, metrics)
	FIELD(numMetrics, count)
	FIELD(maxNumOfRanges, ranges)
	FIELD(maxNumRangeTreeNodes, nodes)
	FIELD(counterDataSize, bytes)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_CounterDataImage_Initialize_Params
#define OURS range_data_initialize
	TAKES(RangeProfilerCounterDataImageInitialize)
	FIELD(pRangeProfilerObject, object)
	FIELD(counterDataSize, bytes)
	FIELD(pCounterData, data)
#undef THIS
#undef OURS
#define THIS CUpti_RangeProfiler_GetCounterDataInfo_Params
#define OURS range_data_info
	TAKES(RangeProfilerGetCounterDataInfo)
	FIELD(pCounterDataImage, data)
	FIELD(counterDataImageSize, bytes)
	FIELD(numTotalRanges, ranges)
#undef THIS
#undef OURS
};

static const struct pair host[] = {
#define THIS CUpti_Profiler_Host_Initialize_Params
#define OURS host_initialize
	HOST(Initialize)
	FIELD(profilerType, profiler)
	FIELD(pChipName, chip)
	FIELD(pCounterAvailabilityImage, availability)
	FIELD(pHostObject, object)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_Host_Deinitialize_Params
#define OURS host_deinitialize
	HOST(Deinitialize)
	FIELD(pHostObject, object)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_Host_GetSupportedChips_Params
#define OURS host_chips
	HOST(GetSupportedChips)
	FIELD(numChips, count)
	FIELD(ppChipNames, names)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_Host_ConfigAddMetrics_Params
#define OURS host_add
	HOST(ConfigAddMetrics)
	FIELD(pHostObject, object)
	FIELD(ppMetricNames, metrics)
	FIELD(numMetrics, count)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_Host_GetConfigImageSize_Params
#define OURS host_image_size
	HOST(GetConfigImageSize)
	FIELD(pHostObject, object)
	FIELD(configImageSize, bytes)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_Host_GetConfigImage_Params
#define OURS host_image
	HOST(GetConfigImage)
	FIELD(pHostObject, object)
	FIELD(configImageSize, bytes)
	FIELD(pConfigImage, image)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_Host_GetNumOfPasses_Params
#define OURS host_passes
	HOST(GetNumOfPasses)
	FIELD(configImageSize, bytes)
	FIELD(pConfigImage, image)
	FIELD(numOfPasses, passes)
#undef THIS
#undef OURS
#define THIS CUpti_Profiler_Host_EvaluateToGpuValues_Params
#define OURS host_evaluate
	HOST(EvaluateToGpuValues)
	FIELD(pHostObject, object)
	FIELD(pCounterDataImage, data)
	FIELD(counterDataImageSize, bytes)
	FIELD(rangeIndex, range)
	FIELD(ppMetricNames, metrics)
	FIELD(numMetrics, count)
	FIELD(pMetricValues, values)
#undef THIS
#undef OURS
	NUMBER(CUPTI_PROFILER_TYPE_RANGE_PROFILER, 0)
};

static const struct pair results[] = {
	NUMBER(CUPTI_ERROR_OUT_OF_MEMORY, CUPTI_OUT_OF_MEMORY)
	NUMBER(CUPTI_ERROR_HARDWARE_BUSY, CUPTI_HARDWARE_BUSY)
	NUMBER(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, CUPTI_VIRTUALIZED_NOT_SUPPORTED)
	NUMBER(CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, CUPTI_OLD_PROFILER_INITIALIZED)
	NUMBER(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, CUPTI_VIRTUALIZED_PRIVILEGES)
	NUMBER(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, CUPTI_CONFIDENTIAL)
	NUMBER(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, CUPTI_MINING)
#if CUPTI_API_VERSION >= 130000
	NUMBER(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, CUPTI_MIG)
	NUMBER(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, CUPTI_SLI)
	NUMBER(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, CUPTI_WSL)
	NUMBER(CUPTI_ERROR_INVALID_CHIP_NAME, CUPTI_INVALID_CHIP)
#endif
};
/* clang-format on */

static void test_all(void **state)
{
	(void)state;
	assert_int_equal(differ(target, sizeof(target) / sizeof(target[0])), 0);
	assert_int_equal(differ(ranges, sizeof(ranges) / sizeof(ranges[0])), 0);
	assert_int_equal(differ(host, sizeof(host) / sizeof(host[0])), 0);
	assert_int_equal(differ(results, sizeof(results) / sizeof(results[0])), 0);
}

#else

static void test_all(void **state)
{
	(void)state;
	skip(); /* these headers are older */
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
