/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_PROTOBUF_H
#define VIEW_FORMAT_PROTOBUF_H

#include "base/strbuf.h"

/*
 * Messages of protocol buffers, field after field, as protobuf.dev/programming-guides/encoding has
 * them. Field numbers are below 2^28. What memory runs out for is missing, and `to->failed` set.
 */
void protobuf_number(struct strbuf *to, uint32_t field, uint64_t value); /* uint, int, enum, bool */
void protobuf_fixed(struct strbuf *to, uint32_t field, uint64_t value);	 /* fixed64 */
void protobuf_double(struct strbuf *to, uint32_t field, double value);
void protobuf_bytes(struct strbuf *to, uint32_t field, const void *bytes, size_t size);
void protobuf_string(struct strbuf *to, uint32_t field, const char *string);

/* A message as a field: what is appended in between is in it. `begun` is what _begin returned. */
size_t protobuf_begin(struct strbuf *to, uint32_t field);
void protobuf_end(struct strbuf *to, size_t begun);

#endif
