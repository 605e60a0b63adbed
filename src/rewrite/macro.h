/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_MACRO_H
#define REWRITE_MACRO_H

#include "rewrite/token.h"

enum { MACRO_BUCKETS = 1024 };

struct macro {
	struct macro *next; /* of its bucket */
	const char *name;
	size_t length;
	bool undefined; /* by #undef */
	/* It belongs to the compiler: it stays in the text, where each compiler has its own value.
	 * It is expanded only in conditions. */
	bool foreign;
	bool function, variadic;
	const struct token *parameters, *body; /* each ends with TOKEN_END */
};

struct macros {
	struct arena *arena;
	struct macro *buckets[MACRO_BUCKETS];
	unsigned depth;
	const char *error; /* of the first expansion that is not possible, or NULL */
};

/* Returns the macro, or NULL if there is none of that name. */
const struct macro *macro_find(const struct macros *macros, const struct token *name);

/* Defines a macro by the tokens behind #define, up to TOKEN_END. Returns 0, or -1 if they are no
 * definition. */
int macro_define(struct macros *macros, const struct token *tokens, bool foreign);

void macro_undefine(struct macros *macros, const struct token *name);

/* If the token is a macro's name that is expanded here, replaces it, and its arguments, at *token
 * by the expansion, in which further macros are not yet expanded, and returns true. With `all`,
 * foreign macros are expanded, too. Sets macros->error if the arguments are wrong. */
bool macro_expand(struct macros *macros, struct token **token, bool all);

/* Expands all macros of a list. */
struct token *macro_expand_list(struct macros *macros, struct token *list, bool all);

#endif
