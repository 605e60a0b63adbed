/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_JSONTEXT_H
#define VIEW_FORMAT_JSONTEXT_H

#include "base/strbuf.h"

/* Pieces of JSON (RFC 8259), appended. */
void json_number(struct strbuf *to, uint64_t value);
void json_signed(struct strbuf *to, int64_t number);
void json_vector(struct strbuf *to, const uint64_t value[3]); /* [1,2,3] */
void json_hex(struct strbuf *to, uint64_t value);	      /* 0x1f, without quotes */

/* A thousandth of `value`, exactly: nanoseconds as microseconds. */
void json_thousandths(struct strbuf *to, int64_t value);

/* Finite ones: with three decimals, and the nearest whole number. */
void json_real(struct strbuf *to, double value);
void json_whole(struct strbuf *to, double value);

/* A string, in quotes, of bytes that are UTF-8 without control characters. */
void json_escaped(struct strbuf *to, const char *text, size_t length);

/* A string, in quotes, of any bytes: what is not so is written as timeline_escape has it. */
void json_name(struct strbuf *to, const char *name, size_t length);

/* A comma, if there is a member before it, and "name": */
void json_member(struct strbuf *to, const char *name);

#endif
