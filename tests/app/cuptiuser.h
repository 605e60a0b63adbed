/* SPDX-License-Identifier: MIT */
#ifndef APP_CUPTIUSER_H
#define APP_CUPTIUSER_H

#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/* A CUPTI client and its CUDA program in one, for the tests of the fakes: see cuptiuser.c. */

/* The text after the step's name and "=", or "". */
struct step {
	const char *name;
	void (*run)(const char *value);
};

extern const struct step work_steps[];	 /* of the CUDA program; cuptiuser_work.c */
extern const struct step client_steps[]; /* of the client; cuptiuser_client.c */
extern const struct step event_steps[];	 /* of a client that counts events; cuptiuser_events.c */
extern const struct step metric_steps[]; /* of a client that uses metrics; cuptiuser_metrics.c */
extern const struct step range_steps[];	 /* and measures kernels; cuptiuser_ranges.c */
extern const char kernels_ptx[];	 /* cuptiuser_kernels.c */

/* Functions of either library; end the program if there is none. */
void *driver_function(const char *name);
void *cupti_function(const char *name);
/* Reports a failing step with its error. */
void check(const char *what, int result);

/* cuptiuser_records.c. Counts all records, and prints those of the first `most`. */
void print_buffer(uint8_t *buffer, size_t valid, unsigned most);
/* Prints the name of the last kernel, or that its memory is unmapped. */
void print_last_name(const char *unused);
/* Prints the number of each kind, and the length of the kind's last record. */
void print_counts(const char *unused);

/* cuptiuser_ranges.c: prints the ranges measured since the last time. */
void print_ranges(const char *unused);

/* cuptiuser_threads.c: runs `count` threads at the same time, each with four contexts of its
 * own. */
void run_threads(const char *count);

#endif
