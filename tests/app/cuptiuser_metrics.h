/* SPDX-License-Identifier: MIT */
#ifndef APP_CUPTIUSER_METRICS_H
#define APP_CUPTIUSER_METRICS_H

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/counters/ranges.h"
#include "cuptiuser.h"

#define RANGES(name, parameters)                                                                   \
	check(#name, ((int (*)(void *))cupti_function("cupti" #name))(parameters))

/* cuptiuser_metrics.c: the objects of the Host API, for cuptiuser_ranges.c. */
enum { METRICS = 32 };
extern struct host_object *host;
extern const char *metrics[METRICS];
extern size_t metric_count;
extern uint8_t *config;
extern size_t config_bytes;
/* Of counter data; prints the values of all metrics. */
void print_values(const uint8_t *data, size_t bytes, size_t range);

/* The driver's. */
cuda_context current_context(void);

/* Its steps, which others take together. */
void begin_host(const char *value);
void add_metrics(const char *value);
void make_image(const char *value);

#endif
