/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ADVISE_SCRIPT_H
#define TESTS_ADVISE_SCRIPT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/event.h"
#include "view/advise/findings.h"
#include "view/advise/reuse.h"

/* The frames of a process, written by hand. The host's clock is that of the device. */
enum { SCRIPT_FRAMES = 1 << 14, SCRIPT_CONTEXT = 0 };

union script_frame {
	struct frame frame;
	struct record record;
	union event event;
};

static union script_frame script[SCRIPT_FRAMES];
static size_t script_length;
static uint64_t script_correlation;

static inline union script_frame *script_add(size_t size, enum frame_kind kind)
{
	union script_frame *frame = &script[script_length];

	assert_true(script_length++ < SCRIPT_FRAMES);
	memset(frame, 0, sizeof(*frame));
	frame->frame.size = (uint32_t)size;
	frame->frame.kind = kind;
	return frame;
}

static inline void script_begin(void)
{
	script_length = 0;
	script_correlation = 0;
}

/* Memory of the device at `address`, from `time` on. */
static inline struct allocation *allocates(uint64_t address, uint64_t bytes, uint64_t time)
{
	struct allocation *allocation =
		&script_add(sizeof(*allocation), FRAME_ALLOCATION)->event.allocation;

	allocation->enter = time - 1;
	allocation->leave = time;
	allocation->address = address;
	allocation->bytes = bytes;
	allocation->memory = MEMORY_KIND_DEVICE;
	allocation->context = SCRIPT_CONTEXT;
	return allocation;
}

static inline void releases(uint64_t address, uint64_t time)
{
	struct allocation *allocation = allocates(address, 0, time);

	allocation->enter = time;
	allocation->leave = time + 1;
	allocation->frame.flags = ALLOCATION_FREED;
}

/* The next command; uses follow. */
static inline struct record *runs(enum frame_kind kind, uint64_t start, uint64_t end)
{
	struct record *record = &script_add(sizeof(*record), kind)->record;

	record->frame.correlation = ++script_correlation;
	record->enter = start;
	record->leave = start + 1;
	record->queued = record->submitted = record->started = start;
	record->ended = end;
	record->context = SCRIPT_CONTEXT;
	record->known = KNOWN_TIMES;
	if (kind == FRAME_COPY)
		record->known |= KNOWN_DIRECTION;
	return record;
}

/* The last command uses an object, as a whole. */
static inline struct use *uses(uint64_t address, uint16_t access)
{
	const struct record *record = NULL;
	struct use *use;

	for (size_t i = script_length; !record && i-- > 0;)
		if (script[i].frame.correlation == script_correlation)
			record = &script[i].record;
	assert_non_null(record);
	use = &script_add(sizeof(*use), FRAME_USE)->event.use;
	use->enter = record->enter;
	use->address = address;
	use->bytes = UINT64_MAX;
	use->access = access;
	use->argument = USE_NO_ARGUMENT;
	use->record = record->frame.correlation;
	return use;
}

/* A kernel that uses an object; what it accesses is assumed. */
static inline void kernel(uint64_t start, uint64_t end, uint64_t address)
{
	struct use *use;

	runs(FRAME_KERNEL, start, end);
	use = uses(address, USE_READ_WRITE);
	use->frame.flags = USE_ASSUMED | USE_PARTIAL;
}

/* A copy from the host that writes the whole object. */
static inline struct use *upload(uint64_t start, uint64_t end, uint64_t address)
{
	runs(FRAME_COPY, start, end)->direction = DIRECTION_HOST_TO_DEVICE;
	return uses(address, USE_WRITE);
}

static inline void download(uint64_t start, uint64_t end, uint64_t address)
{
	struct record *record = runs(FRAME_COPY, start, end);

	record->direction = DIRECTION_DEVICE_TO_HOST;
	record->source = MEMORY_DEVICE;
	record->target = MEMORY_HOST;
	uses(address, USE_READ);
}

/* What the script is analyzed with, and the results. */
static struct objects objects;
static struct findings findings;
static struct findings_limits limits;
static uint64_t idle = 1;

static inline int script_set_up(void **state)
{
	(void)state;
	script_begin();
	limits = (struct findings_limits){0};
	idle = 1;
	return 0;
}

static inline int script_tear_down(void **state)
{
	(void)state;
	findings_free(&findings);
	objects_free(&objects);
	return 0;
}

/* Analyzes the script. */
static inline void analyze(void)
{
	static const struct process process;
	struct collect *collect = collect_new(&process);
	struct strbuf error = STRBUF_INIT;

	findings_free(&findings);
	if (objects.places)
		objects_free(&objects);
	assert_non_null(collect);
	for (size_t i = 0; i < script_length; i++)
		assert_int_equal(collect_add(collect, &script[i].frame, &error), 0);
	assert_int_equal(collect_end(collect, idle, &objects, &error), 0);
	assert_int_equal(reuse_find(&objects, &error), 0);
	assert_int_equal(findings_make(&findings, &objects, &limits, &error), 0);
	collect_free(collect);
	strbuf_free(&error);
}

/* Returns the finding of the object with this number, or NULL. */
static inline const struct finding *finding_of(uint32_t number, enum finding_kind kind)
{
	for (size_t i = 0; i < findings.count; i++)
		if (findings.list[i].kind == kind &&
		    objects.list[findings.list[i].object].number == number)
			return &findings.list[i];
	return NULL;
}

static inline void assert_finding(uint32_t number, enum finding_kind kind, uint64_t commands,
			   uint64_t time)
{
	const struct finding *finding = finding_of(number, kind);

	assert_non_null(finding);
	assert_int_equal(finding->commands, commands);
	assert_int_equal(finding->time, time);
	assert_false(finding->is_assumed);
}

static inline void assert_count(size_t count)
{
	assert_int_equal(findings.count, count);
}

#endif
