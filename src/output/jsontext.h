/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_JSONTEXT_H
#define OUTPUT_JSONTEXT_H

#include "base/strbuf.h"

/* Append JSON (RFC 8259) values. */
void json_number(struct strbuf *to, uint64_t value);
void json_signed(struct strbuf *to, int64_t number);
void json_vector(struct strbuf *to, const uint64_t value[3]); /* [1,2,3] */
void json_hex(struct strbuf *to, uint64_t value);	      /* 0x1f, without quotes */

/* Appends value / 1000 exactly: nanoseconds as microseconds. */
void json_thousandths(struct strbuf *to, int64_t value);

/* For finite values: with three decimals; as the nearest integer. */
void json_real(struct strbuf *to, double value);
void json_whole(struct strbuf *to, double value);

/* Appends a quoted string of valid UTF-8 without control characters. */
void json_escaped(struct strbuf *to, const char *text, size_t length);

/* Appends a quoted string of any bytes, escaped as ESCAPE_TEXT (output/escape.h). */
void json_name(struct strbuf *to, const char *name, size_t length);

/* Appends "name": after a comma if there is a member before it. */
void json_member(struct strbuf *to, const char *name);

/* Append ", "NAME": VALUE"; the second one null unless the value is known. */
void json_add_number(struct strbuf *to, const char *name, uint64_t value);
void json_add_known(struct strbuf *to, const char *name, uint64_t value, bool known);

#endif
