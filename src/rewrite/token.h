/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_TOKEN_H
#define REWRITE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "rewrite/arena.h"

/* A place in the program's source. Lines and columns count from 1, columns in bytes. */
struct origin {
	const char *file;
	unsigned line, column;
};

enum token_kind {
	TOKEN_END, /* behind the last one */
	TOKEN_WORD,
	TOKEN_NUMBER,
	TOKEN_STRING, /* also a character constant */
	TOKEN_OTHER,
};

/* A macro whose expansion a token comes from: it is not expanded in it again. */
struct hidden {
	const struct hidden *next;
	const char *name;
	size_t length;
};

/* A preprocessing token. The text is not NUL-terminated. */
struct token {
	struct token *next; /* NULL only behind TOKEN_END */
	const char *text;
	size_t length;
	enum token_kind kind;
	bool space;    /* behind white space or a comment */
	bool first;    /* the first of its line */
	bool expanded; /* comes from a macro */
	struct origin at;
	const struct hidden *hidden;
};

/* Returns the tokens of a text, which need not be NUL-terminated: comments and joined lines
 * (backslash at the end) are resolved. The tokens and their texts are in the arena; `file` must
 * live as long. */
struct token *token_read(struct arena *arena, const char *file, const char *text, size_t length);

/* Returns true if a token has this text. */
bool token_is(const struct token *token, const char *text);

/* Returns a copy without a successor. */
struct token *token_copy(struct arena *arena, const struct token *token);

#endif
