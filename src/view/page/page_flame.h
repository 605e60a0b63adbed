/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PAGE_PAGE_FLAME_H
#define VIEW_PAGE_PAGE_FLAME_H

#include "base/names.h"
#include "base/strbuf.h"
#include "view/stacks/flame.h"

/*
 * The flame graph of the page: the sums of computeprof flame, of all processes, by the stacks of
 * functions. Beyond PAGE_FUNCTIONS, those with the least time are "(other)" below their callers.
 */
enum {
	PAGE_FUNCTIONS = 10000,
	PAGE_FUNCTION_BYTES = 2 << 20, /* of their names; functions with further ones are
					  "(other)", too */
};

struct page_flame {
	struct flame flame;    /* the parts add to it */
	size_t limit;	       /* PAGE_FUNCTIONS, or less in tests */
	struct strbuf numbers; /* of the functions, for the script; empty: there is no graph */
	uint64_t functions;    /* all with time */
	uint64_t left_out;     /* of these, "(other)" */
	uint64_t unnamed;      /* functions with a name for which there is no place */
};

/* Returns 0, or -1 without memory. */
int page_flame_open(struct page_flame *graph);
void page_flame_close(struct page_flame *graph);

/* After the last part: adds the names, each after a letter for its kind, to `names`, and makes the
 * numbers, if there are call stacks or samples. Returns 0, or -1 without memory. */
int page_flame_make(struct page_flame *graph, struct names *names);

/* Appends the section as HTML; nothing without numbers. */
void page_flame_put(const struct page_flame *graph, struct strbuf *to);

#endif
