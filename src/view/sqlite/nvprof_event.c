/* SPDX-License-Identifier: MIT */
/*
 * Events that are no calls. What is one row of theirs may be two in the trace, far from each other:
 * so all of them go to tables of SQLite's (files), one for each kind and the same for each form of
 * database; the form's SQL makes its rows of them in the end.
 */
#include "view/sqlite/nvprof.h"

#include "view/sqlite/database.h"

static const char tables[] =
	"CREATE TEMP TABLE marks(moment INT, flags INT, id INT, thread INT, object BLOB, name INT, "
	"domain INT, payload_kind INT, payload BLOB, value, color INT, category INT);"
	"CREATE TEMP TABLE ranges(number INTEGER PRIMARY KEY, id INT UNIQUE);"
	"CREATE TEMP TABLE allocations(moment INT, freed INT, memory INT, address INT, bytes INT, "
	"api INT, device INT, context INT, name INT);"
	"CREATE TEMP TABLE pauses(start INT, end INT, kind INT, event INT, device INT, "
	"context INT, stream INT, thread INT);"
	"CREATE TEMP TABLE overheads(start INT, end INT, kind INT, thread INT, object BLOB);";

static const char *const inserts[NVPROF_EVENTS] = {
	[FRAME_MARK - FRAME_CALL] =
		"INSERT INTO temp.marks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[FRAME_ALLOCATION - FRAME_CALL] =
		"INSERT INTO temp.allocations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[FRAME_WAIT - FRAME_CALL] = "INSERT INTO temp.pauses VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[FRAME_QUEUE - FRAME_CALL] = "INSERT OR REPLACE INTO temp.streams VALUES (?, ?, ?, ?)",
	[FRAME_OVERHEAD - FRAME_CALL] = "INSERT INTO temp.overheads VALUES (?, ?, ?, ?, ?)",
};

/* A row that is being filled in, from the left. */
struct row {
	struct nvprof *nvprof;
	sqlite3_stmt *statement;
	int count;
	bool failed;
};

int nvprof_begin_events(struct nvprof *nvprof, struct strbuf *error)
{
	if (database_run(nvprof->database, tables, error))
		return -1;
	for (int i = 0; i < NVPROF_EVENTS; i++)
		if (inserts[i] && database_prepare(nvprof->database, inserts[i],
						   &nvprof->note_events[i], error))
			return -1;
	return 0;
}

static void put(struct row *row, int64_t value)
{
	row->failed |= sqlite3_bind_int64(row->statement, ++row->count, value) != SQLITE_OK;
}

static void put_bytes(struct row *row, const void *bytes, int size)
{
	row->failed |= sqlite3_bind_blob(row->statement, ++row->count, bytes, size,
					 SQLITE_TRANSIENT) != SQLITE_OK;
}

static void put_moment(struct row *row, uint64_t moment)
{
	const struct process *process = &row->nvprof->catalog->process;
	uint64_t shift = (uint64_t)process->monotonic_to_epoch;
	uint64_t from = shift - row->nvprof->origin;

	put(row, (int64_t)(moment + from));
	if (moment + shift > row->nvprof->last)
		row->nvprof->last = moment + shift;
}

/* The number in the file, all ones where it is not known. */
static void put_device(struct row *row, uint32_t device)
{
	put(row, device < row->nvprof->device_count ? row->nvprof->devices[device] : UINT32_MAX);
}

static void put_context(struct row *row, uint32_t context)
{
	put(row,
	    context < row->nvprof->context_count ? row->nvprof->contexts[context] : UINT32_MAX);
}

/* CUpti_ActivityObjectKindId of a thread, or of the process where `thread` is 0. */
static void put_object(struct row *row, uint64_t thread)
{
	uint64_t process = row->nvprof->catalog->process.pid;
	unsigned char bytes[12];

	for (int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(process >> 8 * i);
	for (int i = 0; i < 8; i++)
		bytes[4 + i] = (unsigned char)(thread >> 8 * i);
	put_bytes(row, bytes, sizeof(bytes));
}

/* Names without a text are none. */
static int put_name(struct row *row, uint32_t id, struct strbuf *error)
{
	size_t length = 0;
	const char *text = id ? names_text(row->nvprof->catalog->names, id, &length) : NULL;

	if (!length) {
		put(row, 0);
		return 0;
	}
	if (nvprof_set_name(row->nvprof, id, text, length, error))
		return -1;
	put(row, row->nvprof->values[VALUE_NAME]);
	return 0;
}

/* The payload as a number of SQLite's; above 63 bits it is negative. */
static void put_payload(struct row *row, const struct mark *mark)
{
	double real;

	if (mark->payload_kind != PAYLOAD_DOUBLE) {
		put(row, (int64_t)mark->payload);
		return;
	}
	memcpy(&real, &mark->payload, sizeof(real));
	row->failed |= sqlite3_bind_double(row->statement, ++row->count, real) != SQLITE_OK;
}

static int put_mark(struct row *row, const struct frame *frame, struct strbuf *error)
{
	const struct mark *mark = (const void *)frame;
	bool of_process = frame->flags & (MARK_START | MARK_END) && !(frame->flags & MARK_PUSHED);
	bool end = frame->flags & MARK_END;

	put_moment(row, mark->enter);
	put(row, frame->flags);
	put(row, (int64_t)(mark->id ? mark->id : frame->correlation));
	put(row, frame->thread);
	put_object(row, of_process ? 0 : frame->thread);
	if (put_name(row, end ? 0 : mark->name, error) ||
	    put_name(row, end ? 0 : mark->domain, error))
		return -1;
	put(row, mark->payload_kind);
	put_bytes(row, &mark->payload, sizeof(mark->payload));
	put_payload(row, mark);
	put(row, mark->color);
	put(row, mark->category);
	return 0;
}

/* Memory that is freed can be another's before the call is over; it is one's when it is. */
static int put_allocation(struct row *row, const struct frame *frame, struct strbuf *error)
{
	const struct allocation *allocation = (const void *)frame;
	bool freed = frame->flags & ALLOCATION_FREED;

	put_moment(row, freed ? allocation->enter : allocation->leave);
	put(row, freed);
	put(row, allocation->memory);
	put(row, (int64_t)allocation->address);
	put(row, (int64_t)allocation->bytes);
	put(row, allocation->api);
	put_device(row, allocation->device);
	put_context(row, allocation->context);
	return put_name(row, allocation->name, error);
}

static int put_wait(struct row *row, const struct frame *frame, struct strbuf *error)
{
	const struct wait *wait = (const void *)frame;

	(void)error;
	put_moment(row, wait->enter);
	put_moment(row, wait->leave);
	put(row, wait->kind);
	put(row, (int64_t)wait->event);
	put_device(row, wait->device);
	put_context(row, wait->context);
	put(row, wait->stream);
	put(row, frame->thread);
	return 0;
}

static int put_queue(struct row *row, const struct frame *frame, struct strbuf *error)
{
	enum { DEFAULT = 1, NON_BLOCKING = 2 }; /* CUpti_ActivityStreamFlag */
	const struct queue *queue = (const void *)frame;

	(void)error;
	put_context(row, queue->context);
	put(row, queue->stream);
	put(row, frame->flags & QUEUE_PRIORITY ? queue->priority : 0);
	put(row, frame->flags & QUEUE_UNORDERED ? NON_BLOCKING : DEFAULT);
	return 0;
}

static int put_overhead(struct row *row, const struct frame *frame, struct strbuf *error)
{
	const struct overhead *overhead = (const void *)frame;

	(void)error;
	put_moment(row, overhead->enter);
	put_moment(row, overhead->leave);
	put(row, overhead->kind);
	put(row, (int64_t)overhead->object);
	put_object(row, overhead->object);
	return 0;
}

int nvprof_put_event(struct nvprof *nvprof, const struct frame *frame, struct strbuf *error)
{
	static int (*const fill[NVPROF_EVENTS])(struct row *, const struct frame *,
						struct strbuf *) = {
		[FRAME_MARK - FRAME_CALL] = put_mark,
		[FRAME_ALLOCATION - FRAME_CALL] = put_allocation,
		[FRAME_WAIT - FRAME_CALL] = put_wait,
		[FRAME_QUEUE - FRAME_CALL] = put_queue,
		[FRAME_OVERHEAD - FRAME_CALL] = put_overhead,
	};
	int kind = frame->kind - FRAME_CALL;
	struct row row = {.nvprof = nvprof, .statement = nvprof->note_events[kind]};

	nvprof_map_ids(nvprof);
	nvprof->rows++;
	if (fill[kind](&row, frame, error))
		return -1;
	sqlite3_step(row.statement);
	if (sqlite3_reset(row.statement) == SQLITE_OK && !row.failed)
		return 0;
	return database_refused(nvprof->database, error);
}
