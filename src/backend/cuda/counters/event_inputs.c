/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/event_inputs.h"

#include <string.h>

#include "backend/cuda/counters/events.h"

enum { NAME_SIZE = 256 }; /* longest name of an event */

bool event_inputs_of_first(const char *input)
{
	size_t length = strlen(input), end = strlen(ENGINE_FIRST);

	return length > end && !strcmp(input + length - end, ENGINE_FIRST);
}

static int find_id(const struct engine_device *device, const char *input, uint32_t *id)
{
	char name[NAME_SIZE];
	size_t length = strlen(input) - (event_inputs_of_first(input) ? strlen(ENGINE_FIRST) : 0);

	if (length >= sizeof(name))
		return CUPTI_INVALID_EVENT;
	memcpy(name, input, length);
	name[length] = '\0';
	return events.EventGetIdFromName(device->handle, name, id);
}

int event_inputs_find(const struct engine_device *device, const char *const *inputs, size_t count,
		      uint32_t *ids)
{
	int result = CUPTI_DONE;

	for (size_t i = 0; i < count && !result; i++)
		result = find_id(device, inputs[i], &ids[i]);
	return result;
}

size_t event_inputs_distinct(const uint32_t *ids, size_t count, uint32_t *distinct)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < kept && distinct[at] != ids[i])
			at++;
		distinct[at] = ids[i];
		kept += at == kept;
	}
	return kept;
}
