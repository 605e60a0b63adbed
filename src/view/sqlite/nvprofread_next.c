/* SPDX-License-Identifier: MIT */
/*
 * Reads all tables as one stream: a merge by correlationId, in which a call is directly before all
 * records that it made. The other events follow.
 */
#include "model/frames.h"
#include "view/sqlite/nvprofread.h"

/* Returns the cursor with the smallest correlation, the first of equal ones. */
static struct nvprofread_cursor *least(struct nvprofread_cursor *cursors, unsigned int count)
{
	struct nvprofread_cursor *found = NULL;

	for (unsigned int i = 0; i < count; i++)
		if (cursors[i].rows && (!found || cursors[i].correlation < found->correlation))
			found = &cursors[i];
	return found;
}

static int begin(struct nvprofread *reader, struct strbuf *error)
{
	reader->begun = true;
	for (int i = 0; i < READ_CALLS; i++)
		if (nvprofread_step(reader, &reader->calls[i], error) < 0)
			return -1;
	for (int i = 0; i < READ_RECORDS; i++)
		if (nvprofread_step(reader, &reader->records[i], error) < 0)
			return -1;
	return nvprofread_step(reader, &reader->names, error) < 0 ? -1 : 0;
}

/* Moves past the row that was returned last. This is done at the next call, since the following row
 * may be damaged. */
static int leave(struct nvprofread *reader, struct strbuf *error)
{
	struct nvprofread_cursor *taken = reader->taken;

	reader->taken = NULL;
	if (!reader->begun)
		return begin(reader, error);
	return taken && nvprofread_step(reader, taken, error) < 0 ? -1 : 0;
}

int nvprofread_next_frame(void *at, const struct frame **frame, struct strbuf *error)
{
	struct nvprofread *reader = at;
	int result = 0;

	while (!result) {
		struct nvprofread_cursor *call, *record;

		if (leave(reader, error))
			return -1;
		call = least(reader->calls, READ_CALLS);
		record = least(reader->records, READ_RECORDS);
		if (!call && !record)
			return nvprofread_next_event(reader, frame, error);
		if (call && (!record || call->correlation <= record->correlation)) {
			reader->taken = call;
			*frame = &reader->call.frame;
			result = nvprofread_take_call(reader, (unsigned int)(call - reader->calls),
						      error);
		} else {
			reader->taken = record;
			*frame = &reader->counted.record.frame;
			result = nvprofread_take_record(
				reader, (unsigned int)(record - reader->records), error);
		}
	}
	return result;
}

int nvprofread_next(void *at, const struct record **record, struct strbuf *error)
{
	struct nvprofread *reader = at;
	const struct frame *frame = NULL;
	int result;

	do {
		result = nvprofread_next_frame(reader, &frame, error);
	} while (result > 0 && !frames_is_record(frame));
	*record = &reader->counted.record;
	return result;
}
