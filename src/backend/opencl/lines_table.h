/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LINES_TABLE_H
#define BACKEND_OPENCL_LINES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* The table at the start of a program that computeprof-rewrite has written (doc/REWRITE). */

/* An access in the source. */
struct lines_site {
	bool is_store;
	uint32_t line;
	uint32_t function_at, function_length; /* of the text */
	uint32_t file_at, file_length;
};

struct lines_table {
	uint32_t sites, stripes;
	bool by_group; /* the sums are made in local memory, and work-groups are counted */
	struct lines_site *list;
};

/* A number of each stripe has so many words: see doc/REWRITE. */
enum { LINES_WORDS = 16, LINES_TEXT = 200 /* bytes of a line that are kept */ };

/* Reads the table of a rewritten program. Returns false if it is not one, or without memory. The
 * caller frees `list`. */
bool lines_table_read(struct lines_table *table, const char *text);

/* Returns the name of the next included file, or NULL. `at` is the table at first; it moves on. */
const char *lines_table_included(const char **at, size_t *length);

/* Bytes of the counters, and of the words behind them. */
size_t lines_table_bytes(const struct lines_table *table);

/* The further arguments of a rewritten kernel: the counters, and local memory behind them. */
struct lines_arguments {
	uint32_t index; /* of the counters */
	uint32_t local; /* bytes of local memory; 0: there is no such argument */
};

/* Returns true and sets the further arguments if this kernel is rewritten; otherwise appends the
 * reason. */
bool lines_table_kernel(const char *text, const char *kernel, struct lines_arguments *arguments,
			struct strbuf *reason);

/* Appends why this kernel is not rewritten, words without a full stop. `reasons` are lines of
 * computeprof-rewrite, or one of ours. */
void lines_table_reason(struct strbuf *to, const char *reasons, const char *kernel);

/* Returns the number of work-groups that have added their sums to the counters. */
uint64_t lines_table_groups(const struct lines_table *table, const uint32_t *counters);

/* What must not be rewritten: returns the reason, or NULL. `options` are those of the build. */
const char *lines_table_obstacle(const char *source, const char *options, struct strbuf *room);

/* Returns the name that the compiler has as a macro and the conditions took otherwise, or NULL:
 * `kernels` are those of the rewritten program. */
const char *lines_table_difference(const char *kernels, size_t *length);

/* Returns true if what the kernels of a source do cannot depend on the size of work-groups. */
bool lines_table_is_free(const char *source);

/* Returns the text of a line of the source, from 1, without blanks around it. */
const char *lines_table_line(const char *source, uint32_t line, size_t *length);

#endif
