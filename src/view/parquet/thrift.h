/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PARQUET_THRIFT_H
#define VIEW_PARQUET_THRIFT_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Structs of Apache Thrift in its compact protocol, written field by field. The fields of a struct
 * are in ascending order of their numbers, and two neighbours differ by at most 15. Without memory
 * to->failed is set.
 */
enum thrift_type { THRIFT_I16 = 4, THRIFT_I32, THRIFT_I64, THRIFT_BINARY = 8, THRIFT_STRUCT = 12 };

struct thrift {
	struct strbuf *to;
	int last; /* number of the last field, at first 0 */
};

void thrift_number(struct thrift *thrift, int field, enum thrift_type type, int64_t value);
void thrift_bool(struct thrift *thrift, int field, bool value);
void thrift_binary(struct thrift *thrift, int field, const void *bytes, size_t size);
void thrift_string(struct thrift *thrift, int field, const char *text);

/* A field that is a struct. The caller writes its fields with the result, and ends it. */
struct thrift thrift_struct(struct thrift *thrift, int field);
void thrift_end(struct thrift *thrift);

/* A field that is a list; its elements follow. An element that is a struct is a struct thrift with
 * last 0 that is ended. */
void thrift_list(struct thrift *thrift, int field, enum thrift_type type, size_t count);
void thrift_element_number(struct thrift *thrift, int64_t value);
void thrift_element_string(struct thrift *thrift, const char *text);

#endif
