/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_SAMPLES_H
#define BACKEND_SAMPLING_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Samples on their way from the signal handler to the writer: a table of slots without a lock. A
 * handler takes a free slot, fills it in and makes it ready; the writer takes the ready ones.
 */
enum { SAMPLE_FRAMES = 508 };

struct cpu_sample {
	_Atomic uint32_t state;		 /* private to samples.c */
	uint32_t thread;		 /* kernel thread id */
	uint64_t time;			 /* CLOCK_MONOTONIC ns */
	uint64_t weight;		 /* ns of CPU time that it stands for */
	uint32_t clock;			 /* enum sample_clock */
	uint16_t count;			 /* of `frames` */
	bool exact;			 /* the first frame is where the thread was */
	uintptr_t frames[SAMPLE_FRAMES]; /* words for stacks_intern */
};

/* Maps the table, once. Returns 0, or -1 without memory. */
int samples_init(void);

/* For the signal handler: takes no lock. Returns a free slot, or NULL and counts the loss if there
 * is none. The slot must be given to samples_put. */
struct cpu_sample *samples_get(void);
void samples_put(struct cpu_sample *sample);

/* Calls `take` for each sample that is ready, and frees its slot. One caller at a time. Returns
 * their number. */
uint64_t samples_take(void (*take)(const struct cpu_sample *sample));

/* Returns true if there is a sample that is ready. */
bool samples_are_ready(void);

/* Returns the number of samples lost since the last call because all slots were in use. */
uint64_t samples_lost(void);

/* In a forked child: samples of the parent are dropped. */
void samples_forked(void);

#endif
