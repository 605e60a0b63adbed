/* SPDX-License-Identifier: MIT */
#ifndef VIEW_OTF2_OTF2_ARCHIVE_H
#define VIEW_OTF2_OTF2_ARCHIVE_H

#include "view/otf2/otf2_definitions.h"
#include "view/stream/external_sort.h"

/*
 * An event that waits to be sorted, by location, start, and end from the last on: an event comes
 * before those inside it. `count` values (uint64_t, with the bytes of a double) follow, then as
 * many numbers of attributes (uint32_t).
 */
struct otf2_event {
	uint64_t end; /* OTF2_METRICS: the value */
	uint32_t region;
	uint32_t count;
};

enum { OTF2_VALUES = 592 /* maximum of `count` */ };

struct otf2_property {
	const char *name; /* in the form of OTF2: capital letters */
	const char *value;
};

struct otf2_archive_input {
	struct otf2_definitions *definitions;
	struct external_sort *sort; /* keys: number of the location, start, ~end */
	struct otf2_clock clock;
	const char *creator, *description;
	const struct otf2_property *properties; /* the last has no name */
};

/* Writes the archive into the existing empty folder, with the names of folder.h. Returns 0, or -1
 * with one sentence in `error`. */
int otf2_archive_write(const char *folder, const struct otf2_archive_input *input,
		       struct strbuf *error);

#endif
