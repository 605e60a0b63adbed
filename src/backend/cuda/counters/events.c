/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/events.h"

#include "backend/cuda/functions.h"

struct event_functions events;

/* clang-format off */
static const struct function_row rows[] = {
#define FUNCTION(function, parameters) \
	{.name = "cupti" #function, .offset = offsetof(struct event_functions, function)},
#include "backend/cuda/counters/events.def"
#undef FUNCTION
	{.name = NULL},
};
/* clang-format on */

bool events_find(void)
{
	void *library = functions_library();

	return library && !functions_fill(&events, rows, library);
}
