/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_RANGE_SESSION_H
#define BACKEND_CUDA_COUNTERS_RANGE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/ranges.h"

/*
 * A session of the Range Profiler in one context. CUPTI measures each kernel as a range of its own,
 * replays it if several passes are needed, and decodes the data into an image of the library.
 * Results are CUPTI's.
 */
struct range_session {
	const struct range_library *library;
	const struct engine_context *context;
	struct host_plan plan;
	double *values;
	struct range_object *object; /* NULL: not enabled */
	bool started;	   /* CUPTI measures launches */
	bool configures;   /* this CUPTI needs SetConfig before each Start */
	uint8_t *data;		     /* the image */
	size_t bytes;
	size_t capacity; /* ranges that fit into the image */
	size_t most;	 /* upper limit of `capacity`, at least RANGES_AT_FIRST */
	size_t given;	 /* ranges of the image that were passed on */
	size_t dropped;	 /* ranges that did not fit since the image was made */
};

enum { RANGES_AT_FIRST = 64, RANGES_AT_MOST = 1 << 14 };

/* Enables and starts a session of RANGES_AT_FIRST ranges. Returns 0, or an error with nothing to
 * close. */
int range_session_open(struct range_session *session, const struct range_library *library,
		       const struct engine_context *context);

/* Passes on the new ranges (`take` NULL: drops them); *kernels is set to their number. */
int range_session_collect(struct range_session *session, engine_take *take, void *argument,
			  size_t *kernels);

/* Enlarges the image after ranges were dropped, as far as CUPTI accepts it, and starts again. After
 * an error it measures nothing any more. */
int range_session_grow(struct range_session *session);

/* Stops measuring, which forces out ranges that have not come, and passes on the new ranges as
 * range_session_collect does. It stays enabled. */
int range_session_pause(struct range_session *session, engine_take *take, void *argument,
			size_t *kernels);

/* Starts again after a pause; does nothing if it is started. */
int range_session_resume(struct range_session *session);

/* Stops the session and ignores errors. The new ranges are passed on first, unless they are
 * `lost`. */
void range_session_close(struct range_session *session, bool lost, engine_take *take,
			 void *argument);

#endif
