/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_MACRO_H
#define REWRITE_MACRO_H

#include "rewrite/token.h"

enum { MACRO_BUCKETS = 1024 };

struct macro {
	struct macro *next; /* of its bucket */
	const char *name;
	size_t length;
	bool undefined; /* by #undef, or not defined yet */
	bool asked;	/* it is in the list of the same name */
	/* It belongs to the compiler: it stays in the text, where each compiler has its own value.
	 * It is expanded only in conditions. */
	bool foreign;
	bool function, variadic;
	const struct token *parameters, *body; /* each ends with TOKEN_END */
};

/* A name that the program has not defined, and for which a condition has asked. */
struct asked {
	struct asked *next;
	const char *name;
	size_t length;
	bool defined;		  /* as the conditions took it, */
	const struct token *body; /* and for what it stood; NULL for a function */
};

struct macros {
	struct arena *arena;
	struct macro *buckets[MACRO_BUCKETS];
	struct asked *asked; /* the last one first */
	bool renumbered;     /* by #line */
	unsigned depth;
	const char *error; /* of the first expansion that is not possible, or NULL */
};

/* Returns the macro, or NULL if there is none of that name. */
const struct macro *macro_find(const struct macros *macros, const struct token *name);

/* As macro_find, for a condition: keeps the name in `asked` if the compiler decides whether it is
 * defined. */
bool macro_ask(struct macros *macros, const struct token *name);

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
