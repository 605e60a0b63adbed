/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_JSONREAD_H
#define VIEW_FORMAT_JSONREAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Reads JSON (RFC 8259) from outside into a tree. At most JSON_DEPTH arrays and objects are inside
 * of each other. */
enum { JSON_DEPTH = 64 };

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

struct json_value {
	enum json_type type;
	char *name; /* of a member of an object, NUL-terminated, else NULL */
	char *text; /* of a string, NUL-terminated, else NULL; UTF-8 except for invalid bytes */
	size_t length;
	uint64_t number; /* of a number without sign, fraction and exponent; UINT64_MAX: larger. 0
			    for other numbers. */
	struct json_value *first; /* of the members or elements; NULL: none */
	struct json_value *next;
};

/* Returns the value, to be freed with json_free; or NULL with a few words in `error`, such as "a
 * comma is missing at byte 17". */
struct json_value *json_read(const char *text, size_t length, struct strbuf *error);
void json_free(struct json_value *value);

/* Returns the first member of this name, or NULL; also if `object` is NULL or no object. */
const struct json_value *json_find(const struct json_value *object, const char *name);

/* Returns the number of the member of this name; 0 if it is missing or no such number. */
uint64_t json_find_number(const struct json_value *object, const char *name);

/* Returns the string of the member of this name; "" if it is missing or no string. */
const char *json_find_text(const struct json_value *object, const char *name);

#endif
