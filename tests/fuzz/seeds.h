/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SEEDS_H
#define TESTS_FUZZ_SEEDS_H

#include "model/frames.h"

/* Common parts of the seeds of traces and of ring files. */
struct taker {
	void (*take)(void *argument, const char *name, const void *bytes, size_t size);
	void *argument;
};

/* seeds_ring.c: for ring and for recover, one input for each state that a killed program can
 * leave. */
void seed_databases(const struct taker *taker); /* seeds_database.c */
void seed_pieces(const struct taker *taker);
void seed_rings(const struct taker *taker);
void seed_objects(const struct taker *taker); /* seeds_symbols.c */
void seed_walks(const struct taker *taker); /* seeds_unwind.c */

#endif
