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

/* Rewrites OpenCL C so that kernels count their accesses of global memory. Appends the table of
 * sites and the new source to `to`, and a line for each kernel that is not rewritten, or for what
 * keeps the source from being rewritten, to `messages`. Returns the number of rewritten kernels. If
 * that is 0, the source itself is appended. */
unsigned rewrite_source(const struct rewrite_request *request, const char *source, size_t length,
			struct strbuf *to, struct strbuf *messages);

#endif
