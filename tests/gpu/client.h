/* SPDX-License-Identifier: MIT */
#ifndef GPU_CLIENT_H
#define GPU_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/counters/ranges.h"

/*
 * A client of CUPTI for parts that query CUPTI itself and not the profiler. The functions fail the
 * part if CUPTI reports an error, except where a result is returned.
 */
struct client {
	int (*GetVersion)(uint32_t *version);
	int (*Subscribe)(cupti_subscriber *to, cupti_callback_function *function, void *user);
	int (*EnableCallback)(uint32_t enable, cupti_subscriber subscriber, uint32_t domain,
			      uint32_t callback);
	int (*ActivityRegisterCallbacks)(cupti_buffer_requested *, cupti_buffer_completed *);
	int (*ActivityEnable)(uint32_t kind);
	int (*ActivityDisable)(uint32_t kind);
	int (*ActivityFlushAll)(uint32_t flag);
	int (*ActivityGetNextRecord)(uint8_t *buffer, size_t valid, struct cupti_record **record);
	int (*GetStreamIdEx)(cuda_context context, cuda_stream stream, uint8_t per_thread,
			     uint32_t *id); /* NULL: not there */
	struct range_functions ranges;	    /* NULL: not there */
	struct hostapi host;
};
extern struct client client;

/* Opens libcupti; skips the part if that is not possible. */
void client_open(void);

/* Registers buffers of that many bytes. Returns CUPTI's result. */
int client_register(size_t bytes);
/* The size of later buffers. */
void client_buffer_size(size_t bytes);
/* Registers a second pair of functions for buffers, with counts of its own: client_seen[1]. */
int client_register_second(void);

/* The contents of the buffers that were returned, by the pair that they were returned to. */
enum { CLIENT_STREAMS = 64 };
struct client_seen {
	size_t kernels;
	size_t foreign;			  /* buffers that the other pair had given */
	size_t buffers;			  /* returned */
	uint32_t streams[CLIENT_STREAMS]; /* of the first kernels */
};
extern struct client_seen client_seen[2];

#endif
