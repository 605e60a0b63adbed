/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_MEMORY_FILE_H
#define CLI_RUN_MEMORY_FILE_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Files in memory that this process reads by their path. If there is no /proc, or if many
 * descriptors are in use, they are temporary files instead, which memory_file_free removes.
 */

/* Returns the path of a new file with these bytes, malloc'ed; NULL if no file can be made. */
char *memory_file_make(const struct strbuf *bytes);

/* Returns true if no other process can open `path`: it is in memory. */
bool memory_file_is(const char *path);

/* As memory_file_make, with the bytes of the file at `path`, which is removed. */
char *memory_file_take(const char *path);

/* Writes a copy of the file to the new file `to`. Returns 0, or -1. */
int memory_file_save(const char *path, const char *to);

/* Frees the file, and `path`, which may be NULL. */
void memory_file_free(char *path);

#endif
