/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_PROTOBUF_H
#define VIEW_FORMAT_PROTOBUF_H

#include "base/strbuf.h"

/*
 * Messages of protocol buffers, written field by field, as in
 * protobuf.dev/programming-guides/encoding. Field numbers are below 2^28. Without memory the field
 * is missing and `to->failed` is set.
 */
void protobuf_number(struct strbuf *to, uint32_t field, uint64_t value); /* uint, int, enum, bool */
void protobuf_fixed(struct strbuf *to, uint32_t field, uint64_t value);	 /* fixed64 */
void protobuf_double(struct strbuf *to, uint32_t field, double value);
void protobuf_bytes(struct strbuf *to, uint32_t field, const void *bytes, size_t size);
void protobuf_string(struct strbuf *to, uint32_t field, const char *string);

/* A field that is a message: bytes appended in between belong to it. `begun` is the result of
 * _begin. */
size_t protobuf_begin(struct strbuf *to, uint32_t field);
void protobuf_end(struct strbuf *to, size_t begun);

#endif
