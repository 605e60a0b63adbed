/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_GZIP_H
#define VIEW_FORMAT_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Writes a gzip file piece by piece. */
struct sink_gzip;

/* Returns 0 if zlib can be used, or -1 with one sentence. */
int gzip_check(struct strbuf *error);

/* Returns NULL with one sentence in `error` on failure. */
struct sink_gzip *gzip_new(struct strbuf *error);
void gzip_free(struct sink_gzip *gzip);

/*
 * Compresses `size` bytes and writes the output to `fd`; with `last`, also ends the file. Returns 0
 * or an errno.
 */
int gzip_write(struct sink_gzip *gzip, int fd, const char *bytes, size_t size, bool last);

/* Appends a whole gzip file with the bytes, less than 2^31. Returns 0, or -1 without zlib or
 * memory. */
int gzip_put(struct strbuf *to, const char *bytes, size_t size);

#endif
