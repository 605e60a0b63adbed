/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_ENGINE_H
#define BACKEND_CUDA_COUNTERS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * A way of reading hardware counters: CUPTI events for devices up to compute capability 7.2
 * (event_engine.c), the Range Profiler for later ones (range_engine.c). An engine measures inputs,
 * which are names of events or of PerfWorks metrics; what counters are made of them is plan.c's. An
 * event is counted by all instances of its part of the device (multiprocessors, slices of a cache);
 * with ENGINE_FIRST behind its name, it is what the first of them has counted.
 *
 * counters.c calls all of this with its launch lock held, so that one thread at a time is in an
 * engine, in a callback of CUPTI's or on the writer thread. Results are those of CUPTI.
 */
#define ENGINE_FIRST "[0]"

struct engine_device {
	uint32_t number;	  /* CUPTI's, and the driver's */
	cuda_device handle;
	uint32_t capability;	  /* 10 * major + minor */
	uint32_t multiprocessors;
	bool replay;		  /* kernels run again for events that need several passes */
	const char *chip;	  /* as PerfWorks calls it (GH100), or NULL: set by the engine */
};

/* What is measured in one context. */
struct engine_context {
	cuda_context handle;
	const struct engine_device *device;
	const char *const *inputs;
	size_t count;
	bool graph;   /* what is about to be launched is a graph: set before `enter` */
	void *state;  /* the engine's own, NULL while it is not started */
	bool settled; /* set by the engine: the last launch has all values that it will have */
};

/* The values of all inputs for one kernel; those that could not be had are not numbers (NAN). The
 * kernels of one launch (a graph has several) come in the order in which they ran; where some have
 * none, it is the last ones. */
typedef void engine_take(void *argument, const double *values);

struct engine {
	/* Can this device be measured with this libcupti? NULL; or why not, one clause to be said
	 * behind a colon, which lives as long as the process. Looks the chip up. */
	const char *(*examine)(struct engine_device *device);

	/* Whether these inputs are known to the device, and can be measured in the same run.
	 * `context` may be NULL when there is none yet. */
	bool (*together)(const struct engine_device *device, cuda_context context,
			 const char *const *inputs, size_t count);

	/* Begins to measure in a context, whose struct stays where it is until `stop`. An engine
	 * that takes one at a time is asked for no other of the same device. 0, or CUPTI's error
	 * and nothing is left. */
	int (*start)(struct engine_context *context);

	/*
	 * A kernel, or a graph, is about to be launched, or has been, by this thread; each entry
	 * has its leave before the next. Values may come late: all those given by `leave`, by any
	 * `drain` after it, and then by the next `enter` or by `stop` are of the launch that was
	 * left last; none comes later than that. They may be more than it had kernels, if other
	 * kernels ran after it that were not told of. `drain` gives those that are there, at any
	 * time between launches, on any thread. 0, or CUPTI's error: the context can then only be
	 * stopped, and the launch has no more values.
	 *
	 * Not to be called for launches into a stream that is being captured: no kernel runs, and
	 * waiting for the context would end the capture.
	 *
	 * `settled` is true when no more are to come: always after `enter` and `stop`; after
	 * `leave` and `drain` where it can be known.
	 */
	int (*enter)(struct engine_context *context, engine_take *take, void *argument);
	int (*leave)(struct engine_context *context, engine_take *take, void *argument);
	int (*drain)(struct engine_context *context, engine_take *take, void *argument);

	/* Ends it: all that was measured is given out. The context may be about to be destroyed,
	 * but is still there. Does nothing where it was not started. */
	void (*stop)(struct engine_context *context, engine_take *take, void *argument);

	bool one_at_a_time;
};

extern const struct engine event_engine;
extern const struct engine range_engine;

/* What a refusal means and what to do about it, one clause to be said behind a colon. */
const char *engine_reason(int result);

#endif
