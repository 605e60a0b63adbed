/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/layout.h"

/*
 * A way of writing records down. Outputs turn records into bytes at the end of a buffer and do
 * nothing else: no file, no lock, no clock. Whoever calls them owns the buffer and the file.
 */
struct output_target {
	struct layout layout;
	const struct catalog *catalog;
	const struct device *device;   /* whose records the file has */
	const struct context *context;
	const struct counter_set *counters; /* whose columns the file has, or NULL */
	const char *warnings; /* whole NV_Warning lines for the top of the file, or "" */
};

struct output {
	void (*open)(const struct output_target *target, struct strbuf *to);
	void (*write)(const struct output_target *target, const struct record *record,
		      struct strbuf *to);
	void (*close)(const struct output_target *target, struct strbuf *to);
};

#define FORMAT(id, symbol, ...) extern const struct output output_##symbol;
#include "model/formats.def"
#undef FORMAT

/* Indexed by enum format. */
extern const struct output *const output_formats[FORMAT_COUNT];

#endif
