/* SPDX-License-Identifier: MIT */
#ifndef CLI_MERGE_MERGE_FILES_H
#define CLI_MERGE_MERGE_FILES_H

#include <stdbool.h>

#include "base/strbuf.h"

/* The files to merge. */
struct merge_files {
	struct strbuf list;  /* char *, each to be freed */
	bool records;	     /* only traces of single records are merged */
	const char *output;  /* not read if a directory has it; or NULL */
	struct strbuf wrong; /* struct merge_wrong */
};

/* A directory that could not be read, or without files; or a file with the records of another one.
 */
struct merge_wrong {
	char *path;
	char *reason; /* one sentence */
};

/* Adds a file; or of a directory and all directories in it the files with the first extension of
 * which the directory has any, except merged sums. Symbolic links to directories are followed only
 * if they are given. Returns -1 without memory. */
int merge_files_add(struct merge_files *files, const char *path);

/* Returns the list, to be freed, without files that are there twice, for which it prints a message,
 * and without copies (cli/copies.h), which are added to `wrong`; NULL after a message without
 * memory. Its order does not depend on that of the files: merged sums come first, the largest file
 * of them before the others, so they are what counts if another input has a process of theirs;
 * merged traces come last, the largest first, so they do not count then.
 */
char **merge_files_list(struct merge_files *files, int *count);

/* Starts zeroed. */
void merge_files_free(struct merge_files *files);

#endif
