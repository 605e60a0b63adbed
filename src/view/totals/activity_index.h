/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_ACTIVITY_INDEX_H
#define VIEW_TOTALS_ACTIVITY_INDEX_H

#include "base/map.h"
#include "base/names.h"
#include "base/strbuf.h"
#include "model/record.h"
#include "view/format/jsonread.h"

/*
 * Numbers for the activities of several inputs, each of which has a name table of its own: an
 * activity of several inputs has one number. Memory grows with the distinct names.
 */
struct activity_key {
	struct record like; /* as that of struct activity, with a name of the index and no device */
	enum api api;
};

struct activity_index {
	struct names *names;
	struct map numbers; /* from 1 */
	struct strbuf list; /* struct activity_key */
};

/* Returns 0, or -1 without memory. The caller calls activity_index_close in both cases. */
int activity_index_open(struct activity_index *index);
void activity_index_close(struct activity_index *index);

/* Returns the number of the activity, from 1; a new activity gets the next number. 0 without
 * memory. `name` is that of a kernel; like.name is ignored. */
uint32_t activity_index_number(struct activity_index *index, const struct activity_key *what,
			       const char *name, size_t length);

/* Returns the activities; the index in this array is the number less one. */
const struct activity_key *activity_index_list(const struct activity_index *index, uint32_t *count);

/* Reads an element of `activities` of our own JSON (doc/FORMAT, section 16); appends the name of a
 * kernel, unescaped. Returns -1 if it is no kernel, copy or fill. */
int activity_index_read(struct activity_key *what, struct strbuf *name,
			const struct json_value *row);

#endif
