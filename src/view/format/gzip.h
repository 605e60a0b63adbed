/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_GZIP_H
#define VIEW_FORMAT_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* A gzip file, made piece by piece. */
struct sink_gzip;

/* NULL with one sentence in `error`. */
struct sink_gzip *gzip_new(struct strbuf *error);
void gzip_free(struct sink_gzip *gzip);

/*
 * Compresses `size` bytes and writes what comes of them to `fd`; with `last`, the end of the file,
 * too. 0, or errno.
 */
int gzip_write(struct sink_gzip *gzip, int fd, const char *bytes, size_t size, bool last);

#endif
