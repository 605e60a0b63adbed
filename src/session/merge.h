/* SPDX-License-Identifier: MIT */
#ifndef SESSION_MERGE_H
#define SESSION_MERGE_H

#include "session/state.h"

/* Called with `drain` held: reads the state of all rings. Then merge_first returns the earliest
 * launched record in them, or NULL, and merge_consume removes it. Later records of a ring that was
 * empty are left to the next merge_begin; they were launched after the watermark of before. */
void merge_begin(struct session *session);
void merge_consume(struct session *session);

/* The smallest `enter` of the records that the last merge_begin found and that were not removed,
 * and of those added after them; UINT64_MAX if nothing is left. */
uint64_t merge_left(const struct session *session);

static inline struct record *merge_first(const struct session *session)
{
	return session->head_count ? session->heads[0].record : NULL;
}

#endif
