/* SPDX-License-Identifier: MIT */
#ifndef CLI_FILE_KIND_H
#define CLI_FILE_KIND_H

#include "model/layout.h"
#include "view/view.h"

/* What -o can write, by the end of the file's name. Logs and traces are written while the program
 * runs; views are made of its trace. */
struct file_kind {
	const char *extension;
	const char *help;	 /* what such a file is, no full stop */
	const char *variable;	 /* that names the file while the program runs, or NULL */
	enum format format;	 /* of a log; FORMAT_COUNT: it is none */
	const struct view *view; /* or NULL */
};

/* All kinds, from number 0 on; false behind the last one. */
bool file_kind_at(unsigned int number, struct file_kind *kind);

/* The kind that the end of the file's name says; false, and all zero but `format`, if it says none
 * or `file` is NULL. */
bool file_kind_of(const char *file, struct file_kind *kind);

#endif
