/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/layout.h"

/*
 * An output format. It appends the bytes of records to a buffer and uses no file, lock or clock.
 * The caller owns the buffer and the file.
 */
struct rowcache;

struct output_target {
	struct layout layout;
	const struct catalog *catalog;
	const struct device *device;   /* of the file's records */
	const struct context *context;
	const struct counter_set *counters; /* of the file's columns, or NULL */
	const char *warnings; /* NV_Warning lines for the start of the file, or "" */
	struct rowcache *cache; /* makes repeated rows cheaper; or NULL */
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
