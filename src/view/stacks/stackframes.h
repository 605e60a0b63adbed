/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_STACKFRAMES_H
#define VIEW_STACKS_STACKFRAMES_H

#include "view/stacks/flame.h"

/*
 * The call stacks of one part of a stream as frames of a flame graph: with their functions, and
 * without those of the profiler. Each stack is looked up once. A message names each file that has
 * no functions.
 */
struct stackframes;

/* Gets a message, one sentence. */
typedef void stackframes_tell(void *context, const char *text);

/* Returns NULL without memory. */
struct stackframes *stackframes_new(struct flame *flame, const struct catalog *catalog,
				    stackframes_tell *tell, void *context);

void stackframes_free(struct stackframes *stacks);

/* Returns 1 + the number of the innermost frame; 0 without memory. The innermost frame is the
 * function of the API, not what it calls inside the driver. An unknown stack is "[unknown]". */
uint32_t stackframes_of_call(struct stackframes *stacks, uint32_t stack);

/* As stackframes_of_call, with all frames; "[computeprof]" if the thread was in the profiler. */
uint32_t stackframes_of_sample(struct stackframes *stacks, uint32_t stack);

/* Appends the name of the caller (model/caller.h) of a stack: its innermost function, or what
 * caller_text has if that is not known; nothing without a caller. The text is escaped as all names
 * of the flame graph. Returns -1 without memory. */
int stackframes_put_caller(struct stackframes *stacks, uint32_t stack, struct strbuf *to);

#endif
