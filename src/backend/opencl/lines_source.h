/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LINES_SOURCE_H
#define BACKEND_OPENCL_LINES_SOURCE_H

#include "backend/opencl/cl.h"
#include "backend/opencl/lines_included.h"
#include "backend/opencl/lines_table.h"

/* The source of a program, and the one that computeprof-rewrite makes of it. */
struct lines_source {
	struct strbuf original, options, rewritten;
	struct strbuf reason; /* why there is no rewritten one, or "": lines_table_reason */
	struct lines_table table;
	char file[24]; /* the source's name in the table: a hash of its text */
	bool is_free;  /* lines_table_is_free, with the included files */
	struct lines_included *included;
};

/* Call early: keeps the variables that computeprof-rewrite needs, as they are now. */
void lines_source_keep_environment(void);

/* Returns the path of computeprof-rewrite. */
const char *lines_source_helper(void);

/* Appends the program's source, and the options that it was built with for this device. Returns
 * false if the driver does not have the source. */
bool lines_source_texts(struct strbuf *source, struct strbuf *options, cl_program program,
			cl_device_id device);

/* Read the program's source, which was built for this device; and rewrite it, which takes up to
 * half a minute. Return false with a reason if that is not possible. The caller frees the source in
 * any case. */
bool lines_source_read(struct lines_source *source, cl_program program, cl_device_id device);
bool lines_source_rewrite(struct lines_source *source, cl_program program, cl_device_id device);

/* Returns the text of the file that a site is in; "" if it is unknown. */
const char *lines_source_text(struct lines_source *source, const struct lines_site *site);
void lines_source_free(struct lines_source *source);

#endif
