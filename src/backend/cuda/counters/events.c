/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/events.h"

#include <dlfcn.h>
#include <string.h>

#include "backend/cuda/functions.h"

struct event_functions events;

bool events_find(void)
{
	/* clang-format off */
	static const struct {
		const char *name;
		size_t offset;
	} rows[] = {
#define FUNCTION(function, parameters) \
		{"cupti" #function, offsetof(struct event_functions, function)},
#include "backend/cuda/counters/events.def"
#undef FUNCTION
	};
	/* clang-format on */
	void *library = functions_library();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		void *address = library ? dlsym(library, rows[i].name) : NULL;

		if (!address)
			return false;
		memcpy((char *)&events + rows[i].offset, &address, sizeof(address));
	}
	return true;
}
