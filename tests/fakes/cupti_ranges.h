/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_RANGES_H
#define TESTS_FAKES_CUPTI_RANGES_H

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/counters/ranges.h"
#include "cupti_doors.h"
#include "cupti_fake.h"

/* The parts of CUPTI that measure kernels on current devices: see cupti_host.c, cupti_range.c. */

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
DOOR int cuptiProfilerHostInitialize(struct host_initialize *parameters);
DOOR int cuptiProfilerHostDeinitialize(struct host_deinitialize *parameters);
DOOR int cuptiProfilerHostGetSupportedChips(struct host_chips *parameters);
DOOR int cuptiProfilerHostConfigAddMetrics(struct host_add *parameters);
DOOR int cuptiProfilerHostGetConfigImageSize(struct host_image_size *parameters);
DOOR int cuptiProfilerHostGetConfigImage(struct host_image *parameters);
DOOR int cuptiProfilerHostGetNumOfPasses(struct host_passes *parameters);
DOOR int cuptiProfilerHostEvaluateToGpuValues(struct host_evaluate *parameters);
DOOR int cuptiProfilerHostGetRangeName(struct host_range_name *parameters);
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
