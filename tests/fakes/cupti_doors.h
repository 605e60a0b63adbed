/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_DOORS_H
#define TESTS_FAKES_CUPTI_DOORS_H

#include "backend/cuda/counters/events.h"
#include "backend/cuda/counters/ranges.h"
#include "cupti_fake.h"

/* The functions that computeprof calls, and some that others call. The exports of a release are in
 * cupti_NUMBER.map. */
/* clang-format off */
#define NEED(name, parameters) ENTRY_POINT int cupti##name parameters;
#define MAY(name, parameters) ENTRY_POINT int cupti##name parameters;
#include "backend/cuda/cupti.def"
MAY(EnableDomain, (uint32_t enable, cupti_subscriber subscriber, uint32_t domain))
MAY(GetLastError, (void))
MAY(GetErrorMessage, (int result, const char **text))
MAY(GetStreamId, (cuda_context context, cuda_stream stream, uint32_t *id))
MAY(GetThreadIdType, (uint32_t * type))
MAY(Finalize, (void))
MAY(ActivityEnableContext, (cuda_context context, uint32_t kind))
MAY(ActivityDisableContext, (cuda_context context, uint32_t kind))
MAY(ActivityGetAttribute, (uint32_t attribute, size_t *size, void *value))
MAY(ActivitySetAttribute, (uint32_t attribute, size_t *size, void *value))
MAY(ActivityEnableLatencyTimestamps, (uint8_t enable))
MAY(ActivityEnableHWTrace, (uint8_t enable))
MAY(ActivityPushExternalCorrelationId, (uint32_t kind, uint64_t id))
MAY(ActivityPopExternalCorrelationId, (uint32_t kind, uint64_t *id))
#define FUNCTION(name, parameters) ENTRY_POINT int cupti##name parameters;
#include "backend/cuda/counters/events.def"
#include "backend/cuda/counters/ranges.def"
#undef FUNCTION
#undef NEED
#undef MAY
/* clang-format on */

#endif
