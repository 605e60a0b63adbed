/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_MARK_H
#define BACKEND_NVTX_MARK_H

#include <wchar.h>

#include "backend/nvtx/nvtx.h"
#include "model/event.h"
#include "settings/settings.h"

/* The input of a mark event. Its text is one of three, or none; a new text gets an id only when the
 * mark is recorded. */
struct mark_content {
	uint32_t domain; /* id as in text.h */
	uint32_t registered;
	const char *text;
	const wchar_t *wide;
	uint16_t flags; /* enum mark_flag */
	uint64_t id;	/* of the range's start; 0: this is a start */
	const struct nvtx_attributes *attributes; /* or NULL */
};

/* Sets the settings, which must stay valid. Call before the first mark. */
void mark_begin(const struct settings *settings);

/* Takes text and attributes, which must stay valid. Returns -1 for an unknown version. */
int mark_read(struct mark_content *given, const struct nvtx_attributes *attributes);

/* Makes the event. Returns the id of its range, which is its own for a start; 0 if it could not be
 * recorded. mark_start does the same for a start. */
uint64_t mark_record(const struct mark_content *given);
uint64_t mark_start(struct mark_content *given);

/* Push and pop a range of the thread. Return its level in the domain, from 0, or -1. */
int mark_push(struct mark_content *given);
int mark_pop(uint32_t domain);

#endif
