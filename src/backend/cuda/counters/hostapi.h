/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_HOSTAPI_H
#define BACKEND_CUDA_COUNTERS_HOSTAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The part of CUPTI (12.6 Update 2 and later) that knows the metrics of a chip without the device;
 * it needs no driver. Declared here since NVIDIA's header is C++.
 *
 * It loads libnvperf_host from the folder of libcupti, which takes 0.1 s and 100 MB the first time.
 */
struct host_object;

/* The parameters of its functions. Each starts with the size of the struct and a null pointer. */
struct host_initialize {
	size_t size;
	void *reserved;
	int profiler; /* 0: Range Profiler */
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

/* Fills `api` from a libcupti opened by dlopen; false if it is too old. */
bool hostapi_fill(struct hostapi *api, void *library);

/* Returns true if no function of this libcupti, opened by dlopen, works without a started driver:
 * it is of CUDA 13.2 or later. */
bool hostapi_needs_driver(void *library);

/* Returns the number of supported chips and their names. */
size_t hostapi_chips(const struct hostapi *api, const char *const **names);

/* Sets `have` for each metric. Returns 0, or -1 if the chip is unknown. */
int hostapi_have(const struct hostapi *api, const char *chip, const char *const *metrics,
		 size_t count, bool *have);

/* Returns the number of passes in which these metrics are measured together. Returns 0 if one of
 * them or the chip is unknown, or if they cannot be combined (since CUDA 12.9, pcie__... and
 * nvlrx__... can only be measured alone). */
size_t hostapi_passes(const struct hostapi *api, const char *chip, const char *const *metrics,
		      size_t count);

/* The configuration for the Range Profiler (config), and the object that computes values from its
 * data. */
struct host_plan {
	struct host_object *object;
	uint8_t *config;
	size_t bytes;
	size_t passes;
};

/* `availability` is the device's counter availability as CUPTI returns it; it may be NULL, and must
 * live as long as the plan. Returns 0, or CUPTI's error with nothing to free. */
int hostapi_plan(const struct hostapi *api, const char *chip, const uint8_t *availability,
		 const char *const *metrics, size_t count, struct host_plan *plan);
void hostapi_forget(const struct hostapi *api, struct host_plan *plan);

#endif
