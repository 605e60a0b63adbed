/* SPDX-License-Identifier: MIT */
#ifndef GPU_RECORDER_H
#define GPU_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * A libcupti that passes all calls on to the real one and records calls, results and buffers. The
 * profiler opens it when COMPUTEPROF_CUPTI names it. Its own variables:
 *	RECORDER_CUPTI	the real library; without it nothing works
 *	RECORDER_NOTES	the file that gets a line for each event, TIME THREAD EVENT ...; %p in it is
 *			the process; default recorder.%p
 *	RECORDER_DUMP	the file that gets all completed buffers, in the format of the fake's word
 *			`dump`; without it none do; %p as above
 *	RECORDER_IMAGES	the file that gets counter data images and CUPTI's values for them, in the
 *			format of imagefile.h; without it none do; %p as above
 * TIME is CLOCK_MONOTONIC in nanoseconds. Of each kind of event the first NOTES_MOST are written as
 * they happen, of each function's calls the first few; how many there were in all is written at the
 * end. Where the real library lacks a function, this one returns CUPTI_NOT_SUPPORTED.
 */
enum notes {
	NOTES_CALL,	/* a function and its result */
	NOTES_CALLBACK, /* requested by the profiler */
	NOTES_BUFFER,	/* requests and completions */
	NOTES_RECORD,	/* their contents */
	NOTES_STRIDE,	/* the length of a kind of record, once per length */
	NOTES_TOTAL,	/* at the end */
	NOTES_KINDS,
};
enum { NOTES_MOST = 400 };

void note(enum notes kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes how many notes there were. */
void note_counts(void);
/* Returns the path of a recorder file: the name in `variable` or `usual`; NULL if both are. The
 * caller frees it. */
char *note_path(const char *variable, const char *usual);

/* Called for the records that the client reads with ActivityGetNextRecord. */
void record_seen(const uint8_t *buffer, size_t valid, const struct cupti_record *before,
		 const struct cupti_record *record);

/* Iterates over a completed buffer with the real library's function. */
typedef int record_next(uint8_t *buffer, size_t valid, struct cupti_record **record);
void dump_buffer(uint8_t *buffer, size_t valid, record_next *next);

/* Called with the parameters (hostapi.h) of these CUPTI functions. */
void image_chip(const void *parameters);
void image_config(const void *parameters);
void image_values(const void *parameters);

#endif
