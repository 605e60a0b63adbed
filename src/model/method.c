/* SPDX-License-Identifier: MIT */
#include "model/method.h"

#include <string.h>

/* clang-format off */
#define COPY(name) { name, name "async" }
static const char *const copies[MEMORY_COUNT][MEMORY_COUNT][2] = {
	[MEMORY_HOST][MEMORY_HOST]     = COPY("memcpyHtoH"),
	[MEMORY_HOST][MEMORY_DEVICE]   = COPY("memcpyHtoD"),
	[MEMORY_HOST][MEMORY_ARRAY]    = COPY("memcpyHtoA"),
	[MEMORY_DEVICE][MEMORY_HOST]   = COPY("memcpyDtoH"),
	[MEMORY_DEVICE][MEMORY_DEVICE] = COPY("memcpyDtoD"),
	[MEMORY_DEVICE][MEMORY_ARRAY]  = COPY("memcpyDtoA"),
	[MEMORY_ARRAY][MEMORY_HOST]    = COPY("memcpyAtoH"),
	[MEMORY_ARRAY][MEMORY_DEVICE]  = COPY("memcpyAtoD"),
	[MEMORY_ARRAY][MEMORY_ARRAY]   = COPY("memcpyAtoA"),
	[MEMORY_PEER][MEMORY_PEER]     = COPY("memcpyDtoD"),
};
/* clang-format on */

static const char *copy_text(const struct record *record, enum dialect dialect, bool asynchronous)
{
	const char *text;

	/* The values in a trace file may be invalid. */
	if (dialect == DIALECT_CLASSIC || record->source >= MEMORY_COUNT ||
	    record->target >= MEMORY_COUNT)
		return "memcopy";
	text = copies[record->source][record->target][asynchronous];
	return text ? text : "memcopy";
}

static const char *transfer_text(const struct record *record, enum dialect dialect)
{
	bool asynchronous = record->frame.flags & RECORD_ASYNCHRONOUS;

	if (record->frame.kind != FRAME_FILL)
		return copy_text(record, dialect, asynchronous);
	return dialect != DIALECT_CLASSIC && asynchronous ? "memsetasync" : "memset";
}

const char *method_text(const struct record *record, enum dialect dialect,
			const struct names *names, size_t *length)
{
	const char *text = "";

	*length = 0;
	if (record->frame.kind == FRAME_KERNEL) {
		if (record->name)
			text = names_text(names, record->name, length);
		if (*length)
			return text;
		text = "unknown_kernel";
	} else {
		text = transfer_text(record, dialect);
	}
	*length = strlen(text);
	return text;
}

static bool is(const char *name, const char *text, size_t length)
{
	return name && strlen(name) == length && !memcmp(name, text, length);
}

static bool read_as(struct record *record, enum memory source, enum memory target, const char *text,
		    size_t length)
{
	const char *const *names = copies[source][target];
	bool asynchronous = is(names[1], text, length);

	if (!asynchronous && !is(names[0], text, length))
		return false;
	record->frame.kind = FRAME_COPY;
	record->frame.flags |= asynchronous ? RECORD_ASYNCHRONOUS : 0;
	record->source = (uint8_t)source;
	record->target = (uint8_t)target;
	return true;
}

bool method_read_copy(struct record *record, const char *text, size_t length)
{
	for (int pair = 0; pair < MEMORY_PEER * MEMORY_PEER; pair++)
		if (read_as(record, (enum memory)(pair / MEMORY_PEER),
			    (enum memory)(pair % MEMORY_PEER), text, length))
			return true;
	return false;
}
