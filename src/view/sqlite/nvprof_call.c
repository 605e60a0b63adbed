/* SPDX-License-Identifier: MIT */
/* Calls and the records that they made, one row for both. */
#include "view/sqlite/nvprof.h"

static uint8_t kind_of(const struct record *record)
{
	bool asynchronous = record->frame.flags & RECORD_ASYNCHRONOUS;

	if (record->frame.kind == FRAME_KERNEL)
		return KIND_LAUNCH;
	if (record->frame.kind == FRAME_COPY)
		return asynchronous ? KIND_COPY_ASYNC : KIND_COPY;
	return asynchronous ? KIND_FILL_ASYNC : KIND_FILL;
}

int nvprof_put_call(struct nvprof *nvprof, const struct call *call, struct strbuf *error)
{
	struct nvprof_wait *record, wait = {
					    .key = call->made,
					    .enter = call->enter,
					    .leave = call->leave,
					    .records = call->made ? call->records : 0,
					    .thread = call->frame.thread,
					    .name = call->name,
					    .cupti = call->number,
					    .result = call->result,
					    .state = WAIT_CALL,
				    };

	nvprof->has_calls = true;
	nvprof->without_calls = false;
	if (!wait.records) {
		wait.number = nvprof_other_number(nvprof);
		return nvprof_put_row(nvprof, &wait, error);
	}
	/* That of several is to be found by the others, too. */
	record = wait.records == 1 ? nvprof_find(nvprof, wait.key, WAIT_RECORD) : NULL;
	if (!record)
		return nvprof_wait(nvprof, &wait, error);
	record->state = WAIT_OVER;
	return nvprof_put_pair(nvprof, &wait, record, error);
}

int nvprof_put_called(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	bool called = !(record->frame.flags & RECORD_NO_CALL);
	struct nvprof_wait *call, wait = {
					  .key = record->frame.correlation,
					  .enter = called ? record->enter : 0,
					  .leave = called ? record->leave : 0,
					  .number = nvprof->values[VALUE_CORRELATION],
					  .thread = record->frame.thread,
					  .kind = kind_of(record),
					  .state = WAIT_RECORD,
					  .called = called,
				  };

	if (nvprof->without_calls)
		return called ? nvprof_put_row(nvprof, &wait, error) : 0;
	call = nvprof_find(nvprof, wait.key, WAIT_CALL);
	if (!call)
		return nvprof_wait(nvprof, &wait, error);
	call->state = WAIT_OVER;
	return nvprof_put_pair(nvprof, call, &wait, error);
}
