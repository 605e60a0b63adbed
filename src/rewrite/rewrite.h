/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_REWRITE_H
#define REWRITE_REWRITE_H

#include <stddef.h>

#include "base/strbuf.h"
#include "rewrite/counting.h"

struct rewrite_request {
	const char *file;	/* the source's name in the table of sites */
	const char *extensions; /* of the device, separated by blanks; NULL: all */
	unsigned stripes;	/* sets of counters, a power of two */
	enum sums sums;
	const char *const *options; /* of clBuildProgram; ends with NULL */
};

struct rewrite_result {
	struct strbuf text; /* the table of sites and the new source, or else the source itself */
	struct strbuf messages; /* a line for each kernel that is not rewritten, or for what keeps
				 * the source from being rewritten */
	struct strbuf included; /* the files that were included, for the cache */
};

/* Rewrites OpenCL C so that kernels count their accesses of global memory. Appends to the result.
 * Returns the number of rewritten kernels. */
unsigned rewrite_source(const struct rewrite_request *request, const char *source, size_t length,
			struct rewrite_result *to);

#endif
