/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_SPILL_FILE_H
#define VIEW_STREAM_SPILL_FILE_H

#include <stddef.h>

#include "base/strbuf.h"

/*
 * The temporary file for data that does not fit into memory: of a sort (external_sort.h) and of a
 * queue (spill_queue.h). It has no name, so nothing of it is left, however the process ends. It is
 * in TMPDIR, or /tmp.
 */

/* Returns its descriptor, for reading and writing; or -1 with errno. */
int spill_file_open(void);

/* `what` is "write" or "read". Stores one sentence for errno and returns -1. */
int spill_file_fail(const char *what, struct strbuf *error);

/* Writes all bytes. Returns 0, or -1 with one sentence. */
int spill_file_write(int file, const void *bytes, size_t size, struct strbuf *error);

/* Returns the bytes of memory that are filled before the file is used, a multiple of a page:
 * `wanted`; 0: SPILL_BUDGET; for tests COMPUTEPROF_TEST_SORT_BUDGET replaces both. */
enum { SPILL_BUDGET = 32 << 20, SPILL_BUDGET_LEAST = 1 << 16, SPILL_PAGE = 1 << 12 };
size_t spill_file_budget(size_t wanted);

#endif
