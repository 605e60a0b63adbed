/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/ranges.h"

#include "backend/cuda/functions.h"

/* clang-format off */
static const struct function_row rows[] = {
#define FUNCTION(function, parameters) \
	{.name = "cupti" #function, .offset = offsetof(struct range_functions, function)},
#include "backend/cuda/counters/ranges.def"
#undef FUNCTION
	{.name = NULL},
};
/* clang-format on */

const struct range_library *range_library(void)
{
	static struct range_library library;
	static enum { UNSEEN, TOO_OLD, THERE } state;
	struct range_initialize begin = {.size = RANGE_SIZE(range_initialize, reserved)};
	void *source = functions_library();

	if (state == UNSEEN && source) {
		state = TOO_OLD;
		if (!functions_fill(&library.call, rows, source) &&
		    hostapi_fill(&library.host, source)) {
			state = THERE;
			library.refusal = library.call.ProfilerInitialize(&begin);
		}
	}
	return state == THERE ? &library : NULL;
}
