/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_MARK_H
#define BACKEND_NVTX_MARK_H

#include <wchar.h>

#include "backend/nvtx/nvtx.h"
#include "model/event.h"
#include "settings/settings.h"

/* What a mark is made of. Its text is one of three, or none; it gets an id when the mark is
 * recorded, and none before. */
struct mark_given {
	uint32_t domain; /* as in text.h */
	uint32_t registered;
	const char *text;
	const wchar_t *wide;
	uint16_t flags; /* enum mark_flag */
	uint64_t id;	/* of the range's start; 0: it is one */
	const struct nvtx_attributes *attributes; /* or NULL */
};

/* By whose settings, which must stay; before the first of them. */
void mark_begin(const struct settings *settings);

/* Takes text and attributes over, which must stay where they are. -1 if they are of no version that
 * is known. */
int mark_read(struct mark_given *given, const struct nvtx_attributes *attributes);

/* Makes the event. The id of the range that it belongs to, of itself if it is its start; 0 if it
 * could not be recorded. mark_start is the same of a start. */
uint64_t mark_record(const struct mark_given *given);
uint64_t mark_start(struct mark_given *given);

/* The ranges of the thread's stack: their level in the domain, from 0, or -1. */
int mark_push(struct mark_given *given);
int mark_pop(uint32_t domain);

#endif
