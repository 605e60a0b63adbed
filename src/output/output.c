/* SPDX-License-Identifier: MIT */
#include "output/output.h"

const struct output *const output_formats[FORMAT_COUNT] = {
#define FORMAT(id, symbol, ...) [FORMAT_##id] = &output_##symbol,
#include "model/formats.def"
#undef FORMAT
};
