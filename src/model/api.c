/* SPDX-License-Identifier: MIT */
#include "model/api.h"

const struct api_row api_rows[API_COUNT + 1] = {
#define API(id, in_messages, in_names, ...)                                                        \
	[API_##id] = {.name = in_messages, .word = in_names, __VA_ARGS__},
#include "model/api.def"
#undef API
	[API_COUNT] = {.name = "GPU", .word = "gpu", .header = "GPU", .queue = "queue"},
};

enum api api_with_counters(void)
{
	int api = 0;

	while (api < API_COUNT - 1 && !api_rows[api].has_counters)
		api++;
	return (enum api)api;
}
