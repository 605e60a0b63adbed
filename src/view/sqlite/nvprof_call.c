/* SPDX-License-Identifier: MIT */
/* Calls and the records that they made, one row for both. */
#include "view/sqlite/nvprof.h"

#include "view/stream/ordered.h"

static uint8_t kind_of(const struct record *record)
{
	bool asynchronous = record->frame.flags & RECORD_ASYNCHRONOUS;

	if (record->frame.kind == FRAME_KERNEL)
		return KIND_LAUNCH;
	if (record->frame.kind == FRAME_COPY)
		return asynchronous ? KIND_COPY_ASYNC : KIND_COPY;
	return asynchronous ? KIND_FILL_ASYNC : KIND_FILL;
}

/* The call has no record whose number it could use, so it gets a number of its own. */
static int put_alone(struct nvprof *nvprof, const struct nvprof_call *call, struct strbuf *error)
{
	enum { FIRST = 1 << 30 /* above those of records, and within 32 bits */ };
	struct nvprof_call alone = *call;

	alone.number = (int64_t)(FIRST + ++nvprof->others);
	return nvprof_put_row(nvprof, &alone, error);
}

static int put_pair(struct nvprof *nvprof, const struct nvprof_call *call,
		    const struct nvprof_call *record, struct strbuf *error)
{
	struct nvprof_call both = *call;

	both.number = record->number;
	both.kind = record->kind;
	return nvprof_put_row(nvprof, &both, error);
}

/* A call has the number of its first record; its records have no rows of calls of their own. */
static int take(void *context, const struct ordered_pair *pair, struct strbuf *error)
{
	struct nvprof *nvprof = context;
	const struct nvprof_call *call = pair->first, *record = pair->second;

	if (!call)
		return record->called ? nvprof_put_row(nvprof, record, error) : 0;
	if (pair->again)
		return 0;
	if (!record || pair->ordinal)
		return put_alone(nvprof, call, error);
	return put_pair(nvprof, call, record, error);
}

int nvprof_begin_calls(struct nvprof *nvprof, struct strbuf *error)
{
	const struct ordered_options options = {
		.first_size = sizeof(struct nvprof_call),
		.second_size = sizeof(struct nvprof_call),
		.take = take,
		.context = nvprof,
	};

	ordered_free(nvprof->calls);
	nvprof->calls = ordered_new(&options);
	if (nvprof->calls)
		return 0;
	strbuf_string(error, "out of memory");
	return -1;
}

int nvprof_end_calls(struct nvprof *nvprof, struct strbuf *error)
{
	return ordered_end(nvprof->calls, error);
}

int nvprof_put_call(struct nvprof *nvprof, const struct call *call, struct strbuf *error)
{
	const struct nvprof_call row = {
		.enter = call->enter,
		.leave = call->leave,
		.thread = call->frame.thread,
		.name = call->name,
		.cupti = call->number,
		.result = call->result,
		.is_own = true,
	};
	const struct ordered_side side = {.key = call->made, .bytes = &row, .size = sizeof(row)};

	return ordered_add_first(nvprof->calls, &side, call->made ? call->records : 0, error);
}

int nvprof_put_called(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	bool called = !(record->frame.flags & RECORD_NO_CALL);
	const struct nvprof_call row = {
		.enter = called ? record->enter : 0,
		.leave = called ? record->leave : 0,
		.number = nvprof->values[VALUE_CORRELATION],
		.thread = record->frame.thread,
		.kind = kind_of(record),
		.called = called,
	};
	const struct ordered_side side = {
		.key = record->frame.correlation, .bytes = &row, .size = sizeof(row)};

	return ordered_add_second(nvprof->calls, &side, error);
}
