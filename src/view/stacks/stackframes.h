/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_STACKFRAMES_H
#define VIEW_STACKS_STACKFRAMES_H

#include "view/stacks/flame.h"

/*
 * The call stacks of one part of a stream as frames of a flame graph: with their functions, and
 * without those of the profiler. Each stack is looked up once. A message of the stream names each
 * file that has no functions.
 */
struct stackframes;

/* Returns NULL without memory. */
struct stackframes *stackframes_new(struct flame *flame, struct stream *stream);

void stackframes_free(struct stackframes *stacks);

/* Returns 1 + the number of the innermost frame; 0 without memory. The innermost frame is the
 * function of the API, not what it calls inside the driver. An unknown stack is "[unknown]". */
uint32_t stackframes_of_call(struct stackframes *stacks, uint32_t stack);

/* As stackframes_of_call, with all frames; "[computeprof]" if the thread was in the profiler. */
uint32_t stackframes_of_sample(struct stackframes *stacks, uint32_t stack);

#endif
