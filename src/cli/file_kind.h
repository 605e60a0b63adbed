/* SPDX-License-Identifier: MIT */
#ifndef CLI_FILE_KIND_H
#define CLI_FILE_KIND_H

#include "model/layout.h"
#include "view/view.h"

/* The kinds of files that -o can write, by the file name extension. Logs and traces are written
 * while the program runs; views are made from its trace afterwards. */
struct file_kind {
	const char *extension;
	const char *help;	 /* description, no full stop */
	const char *variable;	 /* names the file while the program runs; or NULL */
	enum format format;	 /* of a log; otherwise FORMAT_COUNT */
	const struct view *view; /* or NULL */
};

/* Gets kind `number`, from 0; false after the last one. */
bool file_kind_at(unsigned int number, struct file_kind *kind);

/* Gets the kind by the extension. Returns false, with all zero but `format`, for an unknown
 * extension or if `file` is NULL. */
bool file_kind_of(const char *file, struct file_kind *kind);

#endif
