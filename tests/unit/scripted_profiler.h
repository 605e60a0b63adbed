/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_SCRIPTED_PROFILER_H
#define TESTS_UNIT_SCRIPTED_PROFILER_H

#include <stdbool.h>

#include "backend/cuda/counters/ranges.h"

/*
 * A scripted Range Profiler for the unit tests of the range engine, which link no other:
 * range_library() returns its functions. It has two contexts and one chip, checks CUPTI's rules for
 * calls, and logs each call.
 */
enum play_when { PLAY_AT_EXIT, PLAY_AT_ENTRY, PLAY_AT_STOP, PLAY_NEVER };

enum { PLAY_CONTEXTS = 2, PLAY_RANGES = 40000, PLAY_CONFIG = 7, PLAY_ERROR = 999 };

struct play_object {
	bool enabled, started, used; /* used: started since SetConfig */
	uint8_t *data; /* the image of SetConfig */
	size_t capacity;
	double kernels[PLAY_RANGES]; /* that have run and are in no image yet */
	size_t count;
};

struct play {
	struct range_library library;
	bool too_old;
	struct play_object objects[PLAY_CONTEXTS];
	enum play_when when; /* kernels can be decoded from then on */
	enum play_when now;
	char calls[4096]; /* "Enable Size ", by the names in scripted_profiler.c; cut when full */
	unsigned number;  /* of calls that may fail */
	unsigned fails;	  /* the number of the failing call; 0: none */
	const char *fails_always; /* or the name of the failing calls */
	size_t most;		  /* the most ranges of an image */
	size_t most_decoded;	  /* with more, Decode fails; 0: any number */
	bool starts_once;	  /* each Start needs SetConfig before it */
	bool knows_device_level;  /* the availability query of 13.1 */
	unsigned hosts;		  /* existing host objects */
	size_t passes;
	bool infinite;	  /* values */
	bool drops_first; /* of kernels decoded at the same time */
	bool has_availability;
	const uint8_t *availability; /* that a host object was made with */
	struct range_device_supported support;
	const char *chip;
	size_t chips;
};

extern struct play play;

void play_begin(void);

/* Kernels run in the context with this number; their values are `first`, `first` + 1 ... */
void play_kernels(int context, double first, size_t count);

cuda_context play_context(int number);

/* Internal: logs the call, whose parameters have this size. Returns true if it must fail. */
bool play_called(const char *name, const void *parameters, size_t size);
void play_begin_host(void);
extern const uint8_t play_config[PLAY_CONFIG];

#define CALLED(name, type, last) play_called(name, parameters, RANGE_SIZE(type, last))

#endif
