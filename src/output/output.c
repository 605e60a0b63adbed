/* SPDX-License-Identifier: MIT */
#include "output/output.h"

const struct output *const output_formats[FORMAT_COUNT] = {
	[FORMAT_KEYVAL] = &output_keyval,
	[FORMAT_CSV] = &output_csv,
};
