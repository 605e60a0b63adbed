/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SAMPLES_H
#define TESTS_FUZZ_SAMPLES_H

#include "model/frames.h"

/* Frames as written by programs. */

/* Process, names, a device, a context and a counter set. */
void seed_put_catalog(struct strbuf *to, enum api api);

struct record seed_record(uint32_t i);
void seed_put_record(struct strbuf *to, uint32_t i);

/* In the place of a record: a call, or another event. */
struct record seed_event(uint32_t i);
void seed_put_event(struct strbuf *to, struct record event);

#endif
