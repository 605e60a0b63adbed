/* SPDX-License-Identifier: MIT */
/* Distinguishes values of 0 from unknown values. Most columns cannot be NULL, so an unknown value
 * is stored as 0, too. */
#include "view/sqlite/nvprof.h"

uint32_t nvprof_known_mask(enum frame_kind kind, bool has_times)
{
	if (kind != FRAME_KERNEL)
		return KNOWN_STREAM | KNOWN_BYTES;
	if (!has_times) /* CP_UNTIMED has no columns for the others */
		return KNOWN_STREAM;
	return KNOWN_STREAM | KNOWN_STATIC_SHARED | KNOWN_DYNAMIC_SHARED | KNOWN_CACHE;
}

uint32_t nvprof_known_default(const struct record *record, const struct api_row *api)
{
	uint32_t known = KNOWN_STREAM;

	if (record->frame.kind != FRAME_KERNEL)
		return known | (record->bytes ? KNOWN_BYTES : 0);
	/* Without a block size a 0 may be unknown: the row may not be of a kernel. */
	known |= record->block[0] || record->static_shared ? KNOWN_STATIC_SHARED : 0;
	known |= record->block[0] || record->dynamic_shared ? KNOWN_DYNAMIC_SHARED : 0;
	/* The logs' values for the cache configuration (model/column.c). */
	return known | (api->terms == TERMS_BLOCKS ? KNOWN_CACHE : 0);
}
