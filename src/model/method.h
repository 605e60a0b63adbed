/* SPDX-License-Identifier: MIT */
#ifndef MODEL_METHOD_H
#define MODEL_METHOD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "model/column.h"
#include "model/record.h"

/*
 * What the method column says of `record`: the kernel's name as the driver gives it, or the log's
 * word for a copy or a fill. NUL-terminated, `length` bytes, never empty, not escaped. The text is
 * a constant or owned by `names`.
 */
const char *method_text(const struct record *record, enum dialect dialect,
			const struct names *names, size_t *length);

/*
 * Whether this is what a log of dialect cuda4 calls a copy, memcpyHtoD or memcpyHtoDasync and the
 * like; then `record` becomes such a copy.
 */
bool method_read_copy(struct record *record, const char *text, size_t length);

#endif
