/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_LABEL_H
#define VIEW_FORMAT_LABEL_H

#include "base/strbuf.h"
#include "model/catalog.h"

/*
 * What tables call kernels, copies and fills: a kernel by its name, as calls (FRAME_CALL) by that
 * of their function; others [CUDA memcpy HtoD], [CUDA memset], [OpenCL memcpy DtoH] and so on. A
 * program that looks for "memcpy HtoD" finds both; nvprof knew no OpenCL, so what looks for "[CUDA"
 * means CUDA.
 *
 * Bytes that could harm are written \xNN (output/escape.h).
 */

enum { SHOWN_KEPT = 256 };

/* Names, and those of kernels that were shown lately: to demangle one for each launch would take
 * longer than all else. Begin with zeros behind the first two. */
struct label {
	const struct names *names;
	bool demangled;
	struct {
		uint32_t name;
		struct strbuf text;
	} kept[2][SHOWN_KEPT]; /* without and with parameters, by the low bits of `name` */
};

void label_free(struct label *shown);

/* In full. */
void label_name(struct strbuf *to, enum api api, const struct record *record, struct label *shown);

/* In at most `room` columns, 0 for any: a kernel's name that is too long loses its parameters, and
 * then its middle, "first...last". Each character is taken to be one column wide. */
void label_short(struct strbuf *to, enum api api, const struct record *record, struct label *shown,
		 size_t room);

/* A field of CSV in quotes, which are doubled within it. A first byte that would make it a formula
 * of a spreadsheet is written \xNN. Takes the bytes from `start` on out of `to` and puts the field
 * there. */
void label_quote(struct strbuf *to, size_t start);

/* What is in `to` from `start` on, right-aligned: behind as many blanks as it takes to be `width`
 * characters. */
void label_right(struct strbuf *to, size_t start, size_t width);

/* As those of `to` from `start` on: not more than `room` characters, the rest cut off. */
void label_cut(struct strbuf *to, size_t start, size_t room);

/* "Tesla T4 (0)". */
void label_device(struct strbuf *to, const struct catalog *catalog, uint32_t device);

/* Of a copy, "HtoD"; "" if it is not known. */
const char *label_direction(const struct record *record);

#endif
