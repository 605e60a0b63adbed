/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_RANGES_H
#define TESTS_FAKES_CUPTI_RANGES_H

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/counters/ranges.h"
#include "cupti_doors.h"
#include "cupti_fake.h"

/* The parts of CUPTI that measure kernels on current devices: see cupti_host.c, cupti_range.c. */

/* Of cuptiProfilerHostGetRangeName and cuptiRangeProfilerCounterDataGetRangeInfo. */
struct host_range_name {
	size_t size;
	void *reserved;
	const uint8_t *data;
	size_t bytes;
	size_t range;
	const char *delimiter;
	const char *name; /* out; the client's to free */
};

/* clang-format off */
ENTRY_POINT int cuptiProfilerHostInitialize(struct host_initialize *parameters);
ENTRY_POINT int cuptiProfilerHostDeinitialize(struct host_deinitialize *parameters);
ENTRY_POINT int cuptiProfilerHostGetSupportedChips(struct host_chips *parameters);
ENTRY_POINT int cuptiProfilerHostConfigAddMetrics(struct host_add *parameters);
ENTRY_POINT int cuptiProfilerHostGetConfigImageSize(struct host_image_size *parameters);
ENTRY_POINT int cuptiProfilerHostGetConfigImage(struct host_image *parameters);
ENTRY_POINT int cuptiProfilerHostGetNumOfPasses(struct host_passes *parameters);
ENTRY_POINT int cuptiProfilerHostEvaluateToGpuValues(struct host_evaluate *parameters);
ENTRY_POINT int cuptiProfilerHostGetRangeName(struct host_range_name *parameters);
ENTRY_POINT int cuptiProfilerDeInitialize(struct range_initialize *parameters);
ENTRY_POINT int cuptiRangeProfilerCounterDataGetRangeInfo(struct host_range_name *parameters);
/* clang-format on */

/* cupti_target.c: cuptiProfilerInitialize was called successfully. */
bool ranges_initialized(void);

/* cupti_range.c, for the hooks. */
/* Returns how often a kernel of this context runs; 0: it is not measured. */
unsigned ranges_passes(struct context *context);
/* A kernel has run. */
void ranges_add(const struct command *command);
/* This thread is in the callback of a launch: launches of others are complete. */
extern __thread bool ranges_entering;
void ranges_context_ends(struct context *context);

#endif
