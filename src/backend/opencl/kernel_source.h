/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_KERNEL_SOURCE_H
#define BACKEND_OPENCL_KERNEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/opencl/source_text.h"

/* A kernel in the text of its source: only what is certain, whatever macros and conditional lines
 * do. */
struct kernel_source {
	struct source_text text;
	const char *list; /* of the parameters, in the code */
	const char *body;
	const char *end;
};

/* Finds a kernel in a source that was built with these options. Returns false if macros or
 * conditional lines could change its text, or without memory. The caller frees `found` in both
 * cases. */
bool kernel_source_find(struct kernel_source *found, const char *source, const char *options,
			const char *kernel);
void kernel_source_free(struct kernel_source *found);

struct parameter {
	const char *declaration; /* up to its name */
	const char *name;
	size_t length;
};

/* Finds a parameter of a kernel that has `count` of them. Returns false if macros could change it.
 */
bool kernel_source_parameter(const struct kernel_source *found, unsigned index, unsigned count,
			     struct parameter *parameter);

#endif
