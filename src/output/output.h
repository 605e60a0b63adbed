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

/* Names callers of launches by the stacks of records. NULL: they are module and offset. */
struct output_callers {
	/* Returns the name and its length; NULL if it is not known. */
	const char *(*name)(void *context, uint32_t stack, size_t *length);
	void *context;
};

struct output_target {
	struct layout layout;
	const struct catalog *catalog;
	const struct device *device;   /* of the file's records */
	const struct context *context;
	const struct counter_set *counters; /* of the file's columns, or NULL */
	const char *warnings; /* NV_Warning lines for the start of the file, or "" */
	const struct output_callers *callers; /* or NULL */
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
