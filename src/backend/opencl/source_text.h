/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_SOURCE_TEXT_H
#define BACKEND_OPENCL_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/strbuf.h"

/* The text of a source in OpenCL C. It is not compiled. */
struct source_text {
	struct strbuf code;	  /* without comments, constants and directives */
	struct strbuf directives; /* of the preprocessor, a line each, and the build options */
};

/* In the code: a directive that is no pragma, such as #if. */
#define SOURCE_DIRECTIVE '#'

/* Reads a source that was built with these options. Returns false if it has included files, macros
 * that hide brackets or make names, or constructs of other languages, or without memory. The caller
 * frees `text` in both cases. */
bool source_text_read(struct source_text *text, const char *source, const char *options);
void source_text_free(struct source_text *text);

static inline bool source_is_word(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' || byte & 0x80;
}

/* Counts a word from `at` to `end`, and sets `last` to the end of the last one. */
unsigned source_count(const char *at, const char *end, const char *word, size_t length,
		      const char **last);
bool source_mentions(const char *at, const char *end, const char *word, size_t length);

static inline const char *source_after_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n\v\f");
}

/* Returns the bracket that closes the one at `at`, NULL if there is none, or a directive that could
 * change what is between them. */
const char *source_closing(const char *at, char close);

#endif
