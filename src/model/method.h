/* SPDX-License-Identifier: MIT */
#ifndef MODEL_METHOD_H
#define MODEL_METHOD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "model/column.h"
#include "model/record.h"

/*
 * Returns the text of the method column: the kernel's name from the driver, or the log's word for a
 * copy or a fill. NUL-terminated, `length` bytes, never empty, not escaped. The text is a constant
 * or belongs to `names`.
 */
const char *method_text(const struct record *record, enum dialect dialect,
			const struct names *names, size_t *length);

/*
 * If the text is the name of a copy in dialect cuda4, such as memcpyHtoD or memcpyHtoDasync, sets
 * `record` to such a copy and returns true.
 */
bool method_read_copy(struct record *record, const char *text, size_t length);

#endif
