/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_RANGE_SESSION_H
#define BACKEND_CUDA_COUNTERS_RANGE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/ranges.h"

/*
 * The Range Profiler at work in one context. CUPTI measures each kernel as a range of its own,
 * running it again and again where that takes several passes, and puts what it has counted into an
 * image of ours when it is told to decode. Results are CUPTI's.
 */
struct range_session {
	const struct range_library *library;
	const struct engine_context *context;
	struct host_plan plan;
	double *values;
	struct range_object *object; /* NULL: it measures nothing */
	uint8_t *data;		     /* the image */
	size_t bytes;
	size_t capacity; /* ranges that fit into the image */
	size_t most;	 /* that it may be made for */
	size_t given;	 /* ranges in the image that have been given out */
	size_t dropped;	 /* that did not fit into it since it was made */
};

enum { RANGES_AT_FIRST = 64, RANGES_AT_MOST = 1 << 14 };

/* 0; or an error, and there is nothing to close. */
int range_session_open(struct range_session *session, const struct range_library *library,
		       const struct engine_context *context);

/* Gives out the ranges that have come (`take` NULL: throws them away); *kernels is how many. */
int range_session_collect(struct range_session *session, engine_take *take, void *argument,
			  size_t *kernels);

/* Makes room for those that were dropped. After an error it measures nothing any more. */
int range_session_grow(struct range_session *session);

/* Ends and begins it again, because ranges that must be there do not come otherwise: these are
 * given out. After an error it measures nothing any more. */
int range_session_again(struct range_session *session, engine_take *take, void *argument);

/* Ends it, whatever it answers. First the ranges that have come are given out as above, unless they
 * are `lost`. */
void range_session_close(struct range_session *session, bool lost, engine_take *take,
			 void *argument);

#endif
