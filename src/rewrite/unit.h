/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_UNIT_H
#define REWRITE_UNIT_H

#include <clang-c/Index.h>

#include "rewrite/preprocess.h"

/* How a type's values are looked at: by accessors of its own, or not at all. */
struct value_type {
	struct value_type *next;
	const char *name;   /* OpenCL's: "float4" */
	const char *scalar; /* "float" */
	unsigned elements;  /* 1 for a scalar */
	unsigned size;	    /* bytes */
};

enum access { ACCESS_LOAD, ACCESS_STORE };

/* An access of global memory in the program's source. */
struct site {
	struct site *next;
	unsigned index;
	unsigned slot; /* different in all functions that a kernel reaches */
	enum access access;
	const struct value_type *type; /* NULL: accesses are counted, values are not looked at */
	const char *type_name;
	unsigned size; /* bytes of an access */
	struct function *function;
	struct origin at;
};

/* A change of the text from `offset` up to `end`. */
struct edit {
	struct edit *next;
	unsigned offset, end;
	unsigned order; /* of the expression, outer ones first */
	enum { EDIT_BEHIND, EDIT_BEFORE, EDIT_REPLACE } kind;
	const char *text;
};

/* A call that reaches memory, but is not counted. */
struct uncounted {
	struct uncounted *next;
	const char *name;
	struct origin at;
};

struct call {
	struct call *next;
	struct function *callee;
	unsigned name_at, close_at; /* offsets of the name and of ")" */
	unsigned order;
	bool empty; /* without arguments */
};

/* A return statement. */
struct leave {
	struct leave *next;
	unsigned start, end; /* without ";" */
	unsigned order;
	bool empty; /* without an expression */
};

/* A declaration or definition of a function. The declarations of one are in their order. */
struct declaration {
	struct declaration *next;
	unsigned start,
		end; /* with everything since the declaration before it; a definition's body */
	unsigned name_at;
	unsigned open_at, close_at; /* "(" and ")" of the parameters */
	unsigned body_at;	    /* behind "{", or 0 */
	unsigned body_end;	    /* of "}" */
	unsigned parameters;	    /* their number */
};

struct function {
	struct function *next;
	CXCursor canonical;
	const char *name;
	struct origin at; /* of its first declaration */
	bool kernel, defined;
	const char *obstacle; /* why it cannot be rewritten, or NULL */
	struct origin obstacle_at;
	struct declaration *declarations, **declarations_end;
	struct edit *edits;
	struct call *calls;
	struct leave *leaves; /* of a kernel */
	struct uncounted *uncounted, **uncounted_end;
	struct strbuf locals; /* declarations of variables */
	bool accesses;	      /* it has sites itself */
	bool needs;	      /* it, or one that it calls, has sites */
	bool used;	      /* a rewritten kernel needs it */
	unsigned slots;	      /* of a kernel: one more than the largest */
	bool *reached;	      /* of a kernel: by the index of a function */
	unsigned index;
	unsigned mark; /* of the last search through calls */
};

/* All of a source. */
struct unit {
	struct arena *arena;
	struct preprocessed *text;
	CXTranslationUnit parsed;
	CXFile file;
	struct function *functions, **functions_end;
	struct site *sites, **sites_end;
	struct value_type *types;
	unsigned site_count, local_count, order, mark;
};

/* Finds all functions of the text, and their accesses. */
void unit_read(struct unit *unit);

/* Decides which functions are needed, and which kernels cannot be rewritten. */
void unit_decide(struct unit *unit);

/* Gives each site of the functions that are used a slot. Returns the largest number of slots that a
 * kernel has. */
unsigned unit_place(struct unit *unit);

/* Marks the function and everything that it calls with unit->mark. Returns the first of them with
 * an obstacle, or NULL. */
struct function *unit_reach(struct unit *unit, struct function *from);

void unit_free(struct unit *unit);

#endif
