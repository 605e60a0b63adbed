/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_ENGINE_H
#define BACKEND_CUDA_COUNTERS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * A method of reading hardware counters: CUPTI events for devices up to compute capability 7.2
 * (event_engine.c), the Range Profiler for later ones (range_engine.c). An engine measures inputs,
 * which are names of events or of PerfWorks metrics; plan.c computes counters from them. The value
 * of an event is that of all instances of its unit (multiprocessors, cache slices); for a name that
 * ends in ENGINE_FIRST, that of the first instance.
 *
 * counters.c holds its launch lock around all calls, so one thread at a time uses an engine, in a
 * callback of CUPTI or on the writer thread. Results are those of CUPTI.
 */
#define ENGINE_FIRST "[0]"

struct engine_device {
	uint32_t number;	  /* of CUPTI and the driver */
	cuda_device handle;
	uint32_t capability;	  /* 10 * major + minor */
	uint32_t multiprocessors;
	bool replay;		  /* replay kernels for events that need several passes */
	const char *chip;	  /* name in PerfWorks (GH100), or NULL: set by the engine */
};

/* The measurement of one context. */
struct engine_context {
	cuda_context handle;
	const struct engine_device *device;
	const char *const *inputs;
	size_t count;
	bool graph;   /* input of `enter`: the next launch is a graph */
	bool expected; /* input of `leave`: the launch succeeded, and its values are wanted */
	void *state;  /* private to the engine, NULL while stopped */
	size_t most_ranges; /* private to the engine, kept while stopped; 0 at first */
	bool no_more_values; /* set by the engine: the last launch gets no more values */
};

/* Receives the values of all inputs for one kernel; unavailable ones are NAN. The kernels of one
 * launch (a graph has several) come in the order in which they ran. If some have no values, these
 * are the last ones. */
typedef void engine_take(void *argument, const double *values);

struct engine {
	/* Checks whether this libcupti can measure the device, and finds its chip. Returns NULL, or
	 * the reason as a static clause to print after a colon. */
	const char *(*examine)(struct engine_device *device);

	/* Returns true if the device knows these inputs and can measure them in one run. `context`
	 * may be NULL if there is none yet. */
	bool (*together)(const struct engine_device *device, cuda_context context,
			 const char *const *inputs, size_t count);

	/* Starts measuring a context, whose struct must not move until `stop`. Of an engine that is
	 * `one_at_a_time`, no second context of a device is started. Returns 0, or CUPTI's error
	 * with nothing started. */
	int (*start)(struct engine_context *context);

	/*
	 * `enter` is called before this thread launches a kernel or a graph, `leave` after it;
	 * calls are paired. `pause` is called between launches, also repeatedly: CUPTI measures
	 * nothing until the next `enter`, which costs less than `stop`. Values may come late: those
	 * passed on by `leave` and by the next `enter`, `pause` or `stop` belong to the last
	 * launch; none come later than that. They may be for more kernels than it launched, if
	 * other kernels ran that were not reported. All return 0, or CUPTI's error or
	 * ENGINE_SILENT: then the context can only be stopped, and the launch gets no more values.
	 *
	 * Must not be called for launches into a stream that is being captured: no kernel runs, and
	 * waiting for the context would invalidate the capture.
	 *
	 * `no_more_values` is set when no more values can come: always by `enter`, `pause` and
	 * `stop`; by `leave` if that is known.
	 */
	int (*enter)(struct engine_context *context, engine_take *take, void *argument);
	int (*leave)(struct engine_context *context, engine_take *take, void *argument);
	int (*pause)(struct engine_context *context, engine_take *take, void *argument);

	/* Stops measuring and passes on all remaining values. The context must still exist. Does
	 * nothing if it was not started. */
	void (*stop)(struct engine_context *context, engine_take *take, void *argument);

	bool one_at_a_time;
};

extern const struct engine event_engine;
extern const struct engine range_engine;

/* The result of an engine whose CUPTI returns no values: it is of no use to start it again. */
enum { ENGINE_SILENT = -1 };

/* Returns the meaning of a refusal and its remedy, as a clause to print after a colon. */
const char *engine_reason(int result);

#endif
