/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_LOGHEADER_H
#define OUTPUT_LOGHEADER_H

#include "output/logreader.h"

/* Pieces of text, for the two halves of the log reader. */
static inline bool text_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

struct log_text text_trimmed(struct log_text text);
bool text_starts(struct log_text text, const char *start);
bool text_is(struct log_text text, const char *other);
bool text_same_as(struct log_text text, struct log_text other);

/* True if all of `text` is one number in `base`, not over `most`. */
bool text_number(struct log_text text, unsigned int base, uint64_t most, uint64_t *number);

/* Returns the text before the first `separator` (all if there is none) and sets `text` to the
 * rest. */
struct log_text text_cut(struct log_text *text, char separator);

/*
 * Parses one header line, without its "# ", into `header`. Returns false if it is unknown. An
 * invalid value leaves the member unknown.
 */
bool logheader_line(struct log_header *header, struct log_text line);

#endif
