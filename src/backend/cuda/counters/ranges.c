/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/ranges.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "backend/cuda/functions.h"

static const struct row {
	const char *name;
	size_t offset;
} rows[] = {
#define FUNCTION(function, parameters)                                                             \
	{"cupti" #function, offsetof(struct range_functions, function)},
#include "backend/cuda/counters/ranges.def"
#undef FUNCTION
};

static bool fill(struct range_functions *functions, void *source)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *address = dlsym(source, rows[i].name);

		if (!address)
			return false;
		memcpy((char *)functions + rows[i].offset, &address, sizeof(address));
	}
	return true;
}

const struct range_library *range_library(void)
{
	static struct range_library library;
	static enum { UNSEEN, TOO_OLD, THERE } state;
	struct range_initialize begin = {.size = RANGE_SIZE(range_initialize, reserved)};
	void *source = functions_library();

	if (state == UNSEEN && source) {
		state = TOO_OLD;
		if (fill(&library.call, source) && hostapi_fill(&library.host, source)) {
			state = THERE;
			library.refusal = library.call.ProfilerInitialize(&begin);
		}
	}
	return state == THERE ? &library : NULL;
}
