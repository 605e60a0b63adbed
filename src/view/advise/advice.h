/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_ADVICE_H
#define VIEW_ADVISE_ADVICE_H

#include "view/advise/findings.h"
#include "view/advise/flow.h"
#include "view/advise/source_lines.h"
#include "view/format/label.h"
#include "view/stacks/caller_names.h"
#include "view/stream/stream.h"

/*
 * How one process uses its memory: its objects, what they waste, and the peak. `computeprof advise`
 * prints it as tables or JSON, and draws it.
 */
struct advice_options {
	uint64_t idle; /* kernels that make a gap between two uses; at least 1 */
	bool demangle;
};

struct advice {
	const struct catalog *catalog; /* of the stream, which stays open */
	struct objects objects;
	struct findings findings;
	struct findings_limits limits;
	struct flow flow; /* without changes if the trace does not have them */
	struct source_lines lines;
	const char *notes; /* what the trace does not have: sentences without a full stop, a line
			      each */
	struct strbuf note_text;
	struct label label;
	struct caller_names *callers; /* NULL: no allocation has a stack */
	uint64_t origin; /* start of the process, or of the trace */
};

/*
 * Reads the stream to its end. objects.apis is 0 if no uses were recorded; then there are no
 * findings. Of a damaged file the part before the damage is used, and stream_damage() describes the
 * damage. Returns 0, or -1 with one sentence in `error`. The caller frees the advice in both cases,
 * before the stream.
 */
int advice_read(struct advice *advice, struct stream *stream, const struct advice_options *options,
		struct strbuf *error);
void advice_free(struct advice *advice);

/* The object of a rank, from 0 in the order of allocation. */
static inline const struct object *advice_object(const struct advice *advice, uint32_t rank)
{
	return &advice->objects.list[advice->objects.order[rank]];
}

/* Returns true if the finding was looked for, at least in released objects. */
static inline bool advice_has(const struct advice *advice, enum finding_kind kind)
{
	return advice->objects.apis && !(advice->limits.left_out & 1u << kind);
}

extern const char *const advice_memories[MEMORY_KINDS];

/* Appends for example "#3 device, argument 2 of mm2_kernel1". `room` as of label_shorten. */
void advice_put_object(struct strbuf *to, struct advice *advice, const struct object *object,
		       size_t room);

/* Returns the name of a call stack's caller, as caller_names_get; NULL if it is not known. */
const char *advice_caller(const struct advice *advice, uint32_t stack, size_t *length);

/* Appends the caller of the allocation; nothing if it is not known. */
void advice_put_caller(struct strbuf *to, const struct advice *advice, const struct object *object);

/* Returns the context of an index of objects.places, or NULL. */
const struct context *advice_context(const struct advice *advice, uint32_t place);

/* Appends for example "OpenCL context 0 on cpu-haswell (0)"; `place` as in objects.places. */
void advice_put_place(struct strbuf *to, const struct advice *advice, uint32_t place);

/* Returns the next context with memory from `*number` on, an index of objects.places, and moves
 * `*number` to it; NULL after the last one. */
const struct memory_place *advice_place(const struct advice *advice, uint32_t *number);

#endif
