/* SPDX-License-Identifier: MIT */
/* Events other than calls. They have no correlation, so they are read after all calls and
 * records. */
#include "model/api.h"
#include "model/frames.h"
#include "view/sqlite/nvprofread.h"

enum { MOST_COLUMNS = 8 };

/* A table: its columns, and the function that reads a row to reader->event. It returns 1; 0 if the
 * row is not an event; -1; or 2 if the row has a second event, for which it is called again. */
struct table {
	const char *name;
	const char *columns[MOST_COLUMNS + 1];
	int (*take)(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error);
};

static uint32_t context_of(const struct nvprofread *reader, int64_t number)
{
	for (uint32_t i = 0; i < reader->catalog.context_count; i++)
		if (reader->contexts[i] == number)
			return i;
	return UINT32_MAX;
}

static uint32_t device_numbered(const struct nvprofread *reader, int64_t number)
{
	for (uint32_t i = 0; i < reader->catalog.device_count; i++)
		if (reader->devices[i] == number)
			return i;
	return UINT32_MAX;
}

static uint32_t device_of(const struct nvprofread *reader, uint32_t context)
{
	return context == UINT32_MAX ? UINT32_MAX : reader->catalog.contexts[context].device;
}

static uint16_t api_of(const struct nvprofread *reader, uint32_t context)
{
	return (uint16_t)(context == UINT32_MAX ? API_ASSUMED
						: reader->catalog.contexts[context].api);
}

/* Returns the thread of a CUpti_ActivityObjectKindId, which follows the process id. */
static uint32_t thread_of(sqlite3_stmt *row, int column)
{
	const unsigned char *bytes = sqlite3_column_blob(row, column);
	uint32_t thread = 0;

	for (int i = 4; i < 8 && sqlite3_column_bytes(row, column) >= 8; i++)
		thread |= (uint32_t)bytes[i] << 8 * (i - 4);
	return thread;
}

static uint64_t moment(sqlite3_stmt *row, int column)
{
	return (uint64_t)sqlite3_column_int64(row, column);
}

static int take_mark(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	enum { INSTANT = 1, START = 2, END = 4, OF_THREAD = 2 };
	int64_t flags = sqlite3_column_int64(row, 1) & (INSTANT | START | END);
	struct mark *mark = &reader->event.mark;

	if (!flags)
		return 0;
	*mark = (struct mark){
		.frame.kind = FRAME_MARK, .enter = moment(row, 2), .api = API_ASSUMED};
	mark->frame.thread = thread_of(row, 4);
	if (flags != INSTANT) {
		mark->id = moment(row, 0);
		mark->frame.flags = flags & START ? MARK_START : MARK_END;
		if (sqlite3_column_int64(row, 3) == OF_THREAD)
			mark->frame.flags |= MARK_PUSHED;
	}
	return nvprofread_name(reader, sqlite3_column_int64(row, 5), &mark->name, error) ||
			       nvprofread_name(reader, sqlite3_column_int64(row, 6), &mark->domain,
					       error)
		       ? -1
		       : 1;
}

/* An allocation; called again for its release. */
static int take_memory(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	struct allocation *memory = &reader->event.allocation;
	uint32_t kind = nvprofread_number(row, 0);
	uint64_t end = moment(row, 4);

	if (reader->again) {
		memory->frame.flags = ALLOCATION_FREED;
		memory->enter = memory->leave = end;
		return 1;
	}
	*memory = (struct allocation){
		.frame.kind = FRAME_ALLOCATION,
		.enter = moment(row, 3),
		.leave = moment(row, 3),
		.address = moment(row, 1),
		.bytes = moment(row, 2),
		.memory = kind <= MEMORY_KIND_STATIC ? (uint16_t)kind : MEMORY_KIND_UNKNOWN,
		.context = context_of(reader, sqlite3_column_int64(row, 6)),
	};
	memory->api = api_of(reader, memory->context);
	memory->device = device_numbered(reader, sqlite3_column_int64(row, 5));
	if (nvprofread_name(reader, sqlite3_column_int64(row, 7), &memory->name, error))
		return -1;
	return end ? 2 : 1;
}

static int take_wait(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	struct wait *wait = &reader->event.wait;

	(void)error;
	*wait = (struct wait){
		.frame.kind = FRAME_WAIT,
		.enter = moment(row, 1),
		.leave = moment(row, 2),
		.event = nvprofread_number(row, 5) == UINT32_MAX ? 0 : moment(row, 5),
		.context = context_of(reader, sqlite3_column_int64(row, 3)),
		.kind = (uint16_t)nvprofread_number(row, 0),
		.stream = nvprofread_number(row, 4),
	};
	wait->api = api_of(reader, wait->context);
	wait->device = device_of(reader, wait->context);
	return 1;
}

/* A row without a flag is a stream with unknown properties. */
static int take_queue(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	enum { NON_BLOCKING = 2 };
	struct queue *queue = &reader->event.queue;
	int64_t flag = sqlite3_column_int64(row, 3), priority = sqlite3_column_int64(row, 2);

	(void)error;
	if (!flag)
		return 0;
	*queue = (struct queue){
		.frame = {.kind = FRAME_QUEUE,
			  .flags = (priority ? QUEUE_PRIORITY : 0) |
				   (flag == NON_BLOCKING ? QUEUE_UNORDERED : 0)},
		.enter = reader->catalog.process.started,
		.leave = reader->catalog.process.started,
		.properties = (uint64_t)flag,
		.context = context_of(reader, sqlite3_column_int64(row, 0)),
		.priority = (int16_t)priority,
		.stream = nvprofread_number(row, 1),
	};
	queue->api = api_of(reader, queue->context);
	queue->device = device_of(reader, queue->context);
	return 1;
}

static int take_overhead(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	enum { OF_THREAD = 2 };
	uint32_t kind = nvprofread_number(row, 0);

	(void)error;
	reader->event.overhead = (struct overhead){
		.frame = {.kind = FRAME_OVERHEAD, .thread = thread_of(row, 2)},
		.enter = moment(row, 3),
		.leave = moment(row, 4),
		.object = sqlite3_column_int64(row, 1) == OF_THREAD ? thread_of(row, 2) : 0,
		.api = API_ASSUMED,
		.kind = (uint16_t)(kind >> 16 ? (kind >> 16) + 1 : kind),
	};
	return 1;
}

static const struct table tables[] = {
	{NVPROF "MARKER",
	 {"id", "flags", "timestamp", "objectKind", "objectId", "name", "domain"},
	 take_mark},
	{NVPROF "MEMORY",
	 {"memoryKind", "address", "bytes", "start", "end", "deviceId", "contextId", "name"},
	 take_memory},
	{NVPROF "SYNCHRONIZATION",
	 {"type", "start", "end", "contextId", "streamId", "cudaEventId"},
	 take_wait},
	{NVPROF "STREAM", {"contextId", "streamId", "priority", "flag"}, take_queue},
	{NVPROF "OVERHEAD",
	 {"overheadKind", "objectKind", "objectId", "start", "end"},
	 take_overhead},
};

enum { TABLES = sizeof(tables) / sizeof(tables[0]) };

/* Moves to the next row of any table. Returns 1, 0 after the last one, or -1. */
static int step(struct nvprofread *reader, struct strbuf *error)
{
	while (reader->event_table < TABLES) {
		const struct table *table = &tables[reader->event_table];
		int result;

		if (!reader->events)
			reader->events = nvprofread_select(reader, table->name, table->columns, "",
							   error);
		if (error->length)
			return -1;
		result = reader->events ? sqlite3_step(reader->events) : SQLITE_DONE;
		if (result == SQLITE_ROW)
			return 1;
		if (result != SQLITE_DONE)
			return database_refused(reader->database, error);
		sqlite3_finalize(reader->events);
		reader->events = NULL;
		reader->event_table++;
	}
	return 0;
}

int nvprofread_next_event(struct nvprofread *reader, const struct frame **frame,
			  struct strbuf *error)
{
	int result = 0;

	while (!result) {
		result = reader->again ? 1 : step(reader, error);
		if (result <= 0)
			return result;
		result = tables[reader->event_table].take(reader, reader->events, error);
		reader->again = result == 2;
	}
	*frame = &reader->event.frame;
	reader->event.frame.size = frames_fixed_size((*frame)->kind);
	reader->event.frame.correlation = ++reader->event_count + (UINT64_C(1) << 62);
	return result < 0 ? -1 : 1;
}
