/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SAMPLES_H
#define TESTS_FUZZ_SAMPLES_H

#include "model/frames.h"

/* Frames as written by programs. */

/* Process, names, a device, a context and a counter set. */
void seed_put_catalog(struct strbuf *to, enum api api);

/* Modules, and a stack of that many nodes. */
enum { SEED_STACKS = 3 };
void seed_put_stacks(struct strbuf *to);

/* Frames that programs do not write: a header of version 1; a header whose structs are `more` bytes
 * longer than those of this version, and the frames of a trace with `more` bytes more each. */
void seed_put_header_1(struct strbuf *to);
void seed_put_header(struct strbuf *to, int more);
void seed_put_frames(struct strbuf *to, const struct strbuf *frames, int more);

struct record seed_record(uint32_t i);
void seed_put_record(struct strbuf *to, uint32_t i);

enum {
#define EVENT(kind, ...) SEED_EVENT_##kind,
#include "model/events.def"
#undef EVENT
	SEED_EVENT_KINDS
};

/* In the space of a record: a call, or another event. */
struct record seed_event(uint32_t i);
void seed_put_event(struct strbuf *to, struct record event);

#endif
