/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SEEDS_H
#define TESTS_FUZZ_SEEDS_H

#include "model/frames.h"

/* What seeds of traces and of ring files have in common. */
struct taker {
	void (*take)(void *argument, const char *name, const void *bytes, size_t size);
	void *argument;
};

/* Process, names, a device, a context and a counter set. */
void seed_put_catalog(struct strbuf *to, enum api api);

struct record seed_record(uint32_t i);
void seed_put_record(struct strbuf *to, uint32_t i);

/* In the place of a record: a call, or another event. */
struct record seed_event(uint32_t i);
void seed_put_event(struct strbuf *to, struct record event);

/* seeds_ring.c: one input for each state that a killed program may leave. */
void seed_rings(const struct taker *taker);

#endif
