/* SPDX-License-Identifier: MIT */
#ifndef SESSION_MERGE_H
#define SESSION_MERGE_H

#include "session/state.h"

/* With `drain` held: looks into all rings. From then on merge_first is the record in them that was
 * launched first, or NULL, and merge_consume takes it out. What a ring gets that was found empty is
 * left to the next look; it was launched after the marks that were made before this one. */
void merge_begin(struct session *session);
void merge_consume(struct session *session);

/* The smallest `enter` of what the last merge_begin found and has not been taken out, and of what
 * came behind it since; UINT64_MAX if nothing is left. */
uint64_t merge_left(const struct session *session);

static inline const struct record *merge_first(const struct session *session)
{
	return session->head_count ? session->heads[0].record : NULL;
}

#endif
