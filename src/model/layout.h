/* SPDX-License-Identifier: MIT */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "model/column.h"

enum format {
#define FORMAT(id, ...) FORMAT_##id,
#include "model/formats.def"
#undef FORMAT
	FORMAT_COUNT
};

/* The form of one log file. */
struct layout {
	enum api api;
	enum dialect dialect;
	enum format format;
	uint32_t columns; /* bits: enum column_id, as column_set returns them */
};

#endif
