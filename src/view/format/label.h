/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_LABEL_H
#define VIEW_FORMAT_LABEL_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/totals.h"

/*
 * The names of kernels, copies and fills in tables. Kernels and calls (FRAME_CALL) have the name of
 * their function; others are [CUDA memcpy HtoD], [CUDA memset], [OpenCL memcpy DtoH] and so on. A
 * search for "memcpy HtoD" finds both APIs; scripts written for nvprof search for "[CUDA".
 *
 * Dangerous bytes are written as \xNN (output/escape.h).
 */

/* A flag of the frame of a kernel or call: it stands for all those that have no row of their own in
 * running totals. Its name is "(other)". */
enum { LABEL_OTHER = TOTALS_OTHER };
#define LABEL_OTHER_NAME "(other)"

/* The name table, and a cache of recent kernel names, since demangling for each launch would take
 * most of the time. The cache starts as NULL and is made for the first kernel. */
struct label {
	const struct names *names;
	bool demangled;
	struct label_cache *cache;
};

void label_free(struct label *shown);

/* Appends the full name. */
void label_name(struct strbuf *to, enum api api, const struct record *record, struct label *shown);

/* Appends the name in at most `room` columns, 0: no limit. A long kernel name loses its parameters,
 * and then its middle, "first...last". Each character counts as one column. */
void label_short(struct strbuf *to, enum api api, const struct record *record, struct label *shown,
		 size_t room);

/* Replaces the bytes of `to` from `start` on by a quoted CSV field; quotes in it are doubled. A
 * first byte that would make it a spreadsheet formula is written as \xNN. */
void label_quote(struct strbuf *to, size_t start);

/* Returns the number of characters: names may be UTF-8. */
size_t label_columns(const char *text, size_t length);

/* Align the text of `to` from `start` on in `width` characters. */
void label_left(struct strbuf *to, size_t start, size_t width);
void label_right(struct strbuf *to, size_t start, size_t width);

/* Cuts the text of `to` from `start` on to `room` characters. */
void label_cut(struct strbuf *to, size_t start, size_t room);

/* Takes characters out of the middle of the text from `start` on if it has more than `room`:
 * "first...last". 0: no limit. */
void label_shorten(struct strbuf *to, size_t start, size_t room);

/* Appends for example "Tesla T4 (0)". */
void label_device(struct strbuf *to, const struct catalog *catalog, uint32_t device);

/* Returns the direction of a copy, such as "HtoD"; "" if it is unknown. */
const char *label_direction(const struct record *record);

#endif
