/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_HOSTAPI_H
#define BACKEND_CUDA_COUNTERS_HOSTAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The part of CUPTI (12.6 Update 2 and later) that knows all about the metrics of a chip without
 * having one: no driver is needed. Declared here since NVIDIA's header is C++.
 *
 * It loads libnvperf_host, which must lie beside libcupti, and takes a tenth of a second and 100 MB
 * the first time.
 */
struct host_object;

/* The parameters of its functions. All begin with the size of the struct and a null pointer. */
struct host_initialize {
	size_t size;
	void *reserved;
	int profiler; /* 0: for ranges */
	const char *chip;
	const uint8_t *availability;
	struct host_object *object; /* out */
};

struct host_deinitialize {
	size_t size;
	void *reserved;
	struct host_object *object;
};

struct host_chips {
	size_t size;
	void *reserved;
	size_t count;		  /* out */
	const char *const *names; /* out */
};

struct host_add {
	size_t size;
	void *reserved;
	struct host_object *object;
	const char *const *metrics;
	size_t count;
};

struct host_image_size {
	size_t size;
	void *reserved;
	struct host_object *object;
	size_t bytes; /* out */
};

struct host_image {
	size_t size;
	void *reserved;
	struct host_object *object;
	size_t bytes;
	uint8_t *image;
};

struct host_passes {
	size_t size;
	void *reserved;
	size_t bytes;
	uint8_t *image;
	size_t passes; /* out */
};

struct host_evaluate {
	size_t size;
	void *reserved;
	struct host_object *object;
	const uint8_t *data;
	size_t bytes;
	size_t range; /* from 0 on */
	const char *const *metrics;
	size_t count;
	double *values; /* out */
};

struct hostapi {
	int (*Initialize)(struct host_initialize *parameters);
	int (*Deinitialize)(struct host_deinitialize *parameters);
	int (*GetSupportedChips)(struct host_chips *parameters);
	int (*ConfigAddMetrics)(struct host_add *parameters);
	int (*GetConfigImageSize)(struct host_image_size *parameters);
	int (*GetConfigImage)(struct host_image *parameters);
	int (*GetNumOfPasses)(struct host_passes *parameters);
	int (*EvaluateToGpuValues)(struct host_evaluate *parameters);
};

/* Fills it from a libcupti that dlopen has given; false if that is too old to have it. */
bool hostapi_fill(struct hostapi *api, void *library);

/* The chips that it knows; returns how many. */
size_t hostapi_chips(const struct hostapi *api, const char *const **names);

/* Sets for each metric whether the chip has it. 0, or -1 when the chip is not known. */
int hostapi_have(const struct hostapi *api, const char *chip, const char *const *metrics,
		 size_t count, bool *have);

/* How often a kernel runs while all these metrics are measured; 0 if one of them, or the chip, is
 * not known, or if they cannot be measured together (pcie__... and nvlrx__... can only be by
 * themselves, since CUDA 12.9). */
size_t hostapi_passes(const struct hostapi *api, const char *chip, const char *const *metrics,
		      size_t count);

/* What the Range Profiler has to be told so that it measures some metrics (config), and what makes
 * values of its data later (object). */
struct host_plan {
	struct host_object *object;
	uint8_t *config;
	size_t bytes;
	size_t passes;
};

/* `availability` says what a device of the chip can count just now, as CUPTI gives it; it may be
 * NULL, and must live as long as the plan. 0; or CUPTI's error, and there is nothing to forget. */
int hostapi_plan(const struct hostapi *api, const char *chip, const uint8_t *availability,
		 const char *const *metrics, size_t count, struct host_plan *plan);
void hostapi_forget(const struct hostapi *api, struct host_plan *plan);

#endif
