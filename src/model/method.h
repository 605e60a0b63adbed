/* SPDX-License-Identifier: MIT */
#ifndef MODEL_METHOD_H
#define MODEL_METHOD_H

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

#endif
