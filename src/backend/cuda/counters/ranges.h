/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_RANGES_H
#define BACKEND_CUDA_COUNTERS_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/cupti.h"

/*
 * The part of CUPTI (12.6 Update 2 and later) that measures metrics of kernels on devices of
 * compute capability 7.0 and later: the Range Profiler. The part that needs no device is in
 * hostapi.h. All parameters start with the size of the struct, up to the end of its last member,
 * and a null pointer. Declared here for the same reason as in cupti.h, and compared with NVIDIA's
 * headers in tests/unit/test_cupti_ranges.c.
 */
struct range_object;

#define RANGE_SIZE(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))

enum range_support { RANGE_SUPPORT_UNKNOWN, RANGE_UNSUPPORTED, RANGE_DISABLED, RANGE_SUPPORTED };
enum range_mode { RANGE_AUTO = 1, RANGE_USER = 2 };
enum range_replay { RANGE_KERNEL_REPLAY = 2, RANGE_USER_REPLAY = 3 };

struct range_initialize {
	size_t size;
	void *reserved;
};

struct range_device_supported {
	size_t size;
	void *reserved;
	cuda_device device;
	int supported; /* out: enum range_support; the members below have the reasons */
	int architecture;
	int sli;
	int virtual_gpu;
	int confidential;
	int mining;
	int wsl;
	int profiler; /* in: 0, for the Range Profiler */
};

struct range_chip_name {
	size_t size;
	void *reserved;
	size_t device;	  /* number */
	const char *name; /* out; CUPTI's own */
};

struct range_availability {
	size_t size;
	void *reserved;
	cuda_context context;
	size_t bytes; /* in and out; the required size if image is NULL */
	uint8_t *image;
};

/* Since 13.1; earlier releases may refuse its size. */
struct range_device_availability {
	struct range_availability base;
	uint8_t device_level; /* in: 1 includes the counters of the device (PCIe, NVLink) */
};

struct range_enable {
	size_t size;
	void *reserved;
	cuda_context context;
	struct range_object *object; /* out */
};

struct range_disable { /* also for Start */
	size_t size;
	void *reserved;
	struct range_object *object;
};

struct range_stop {
	size_t size;
	void *reserved;
	struct range_object *object;
	size_t pass; /* out, as the members below */
	size_t nesting;
	uint8_t all_passes;
};

struct range_config {
	size_t size;
	void *reserved;
	struct range_object *object;
	size_t config_bytes;
	const uint8_t *config;
	size_t data_bytes;
	uint8_t *data;
	int mode;   /* enum range_mode */
	int replay; /* enum range_replay */
	size_t ranges_per_pass;
	uint16_t nesting_levels; /* 1 for RANGE_AUTO */
	uint16_t least_nesting;
	size_t pass;
	uint16_t nesting;
};

struct range_decode {
	size_t size;
	void *reserved;
	struct range_object *object;
	size_t dropped; /* out */
};

struct range_data_size {
	size_t size;
	void *reserved;
	struct range_object *object;
	const char *const *metrics;
	size_t count;
	size_t ranges; /* capacity of the data */
	uint32_t nodes; /* at least `ranges` */
	size_t bytes; /* out */
};

struct range_data_initialize {
	size_t size;
	void *reserved;
	struct range_object *object;
	size_t bytes;
	uint8_t *data;
};

struct range_data_info {
	size_t size;
	void *reserved;
	const uint8_t *data;
	size_t bytes;
	size_t ranges; /* out */
};

struct range_functions {
#define FUNCTION(name, parameters) int(*name) parameters;
#include "backend/cuda/counters/ranges.def"
#undef FUNCTION
};

/* The Range Profiler's functions in the library of `cupti`. */
struct range_library {
	struct range_functions call;
	struct hostapi host;
	int refusal; /* result of its initialization; if not 0, it must not be called */
};

/* Initializes it on the first call. Returns NULL if this libcupti is too old. */
const struct range_library *range_library(void);

#endif
