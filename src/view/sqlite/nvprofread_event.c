/* SPDX-License-Identifier: MIT */
/* Events other than calls. They have no correlation, so they are read after all calls and
 * records. */
#include "model/api.h"
#include "model/frames.h"
#include "view/sqlite/libsqlite.h"
#include "view/sqlite/nvprofread.h"

enum { MARK_ID, MARK_FLAGS, MARK_TIME, MARK_OBJECT_KIND, MARK_OBJECT, MARK_NAME, MARK_DOMAIN };
enum {
	MEMORY_KIND,
	MEMORY_ADDRESS,
	MEMORY_BYTES,
	MEMORY_START,
	MEMORY_END,
	MEMORY_ON_DEVICE,
	MEMORY_CONTEXT,
	MEMORY_NAME
};
enum { WAIT_TYPE, WAIT_START, WAIT_END, WAIT_CONTEXT, WAIT_STREAM, WAIT_EVENT };
enum { STREAM_CONTEXT, STREAM_NUMBER, STREAM_PRIORITY, STREAM_FLAG };
enum { OVERHEAD_KIND, OVERHEAD_OBJECT_KIND, OVERHEAD_OBJECT, OVERHEAD_START, OVERHEAD_END };

enum {
	MANAGED_KIND,
	MANAGED_VALUE,
	MANAGED_START,
	MANAGED_END,
	MANAGED_ADDRESS,
	MANAGED_SOURCE,
	MANAGED_TARGET,
	MANAGED_STREAM,
	MANAGED_FLAGS
};

enum { MOST_COLUMNS = MANAGED_FLAGS + 1 };

/* A table: its columns, and the function that reads a row to reader->event. It returns 1; 0 if the
 * row is not an event; -1; or 2 if the row has a second event, for which it is called again. */
struct table {
	const char *name;
	const char *columns[MOST_COLUMNS + 1];
	int (*take)(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error);
};

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
	const unsigned char *bytes = sqlite.column_blob(row, column);
	uint32_t thread = 0;

	for (int i = 4; i < 8 && sqlite.column_bytes(row, column) >= 8; i++)
		thread |= (uint32_t)bytes[i] << 8 * (i - 4);
	return thread;
}

static uint64_t moment(sqlite3_stmt *row, int column)
{
	return (uint64_t)sqlite.column_int64(row, column);
}

static int take_mark(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	enum { INSTANT = 1, START = 2, END = 4, OF_THREAD = 2 };
	int64_t flags = sqlite.column_int64(row, MARK_FLAGS) & (INSTANT | START | END);
	struct mark *mark = &reader->event.mark;

	if (!flags)
		return 0;
	*mark = (struct mark){
		.frame.kind = FRAME_MARK, .enter = moment(row, MARK_TIME), .api = API_ASSUMED};
	mark->frame.thread = thread_of(row, MARK_OBJECT);
	if (flags != INSTANT) {
		mark->id = moment(row, MARK_ID);
		mark->frame.flags = flags & START ? MARK_START : MARK_END;
		if (sqlite.column_int64(row, MARK_OBJECT_KIND) == OF_THREAD)
			mark->frame.flags |= MARK_PUSHED;
	}
	if (nvprofread_name(reader, sqlite.column_int64(row, MARK_NAME), &mark->name, error) ||
	    nvprofread_name(reader, sqlite.column_int64(row, MARK_DOMAIN), &mark->domain, error))
		return -1;
	return 1;
}

/* An allocation; called again for its release. */
static int take_memory(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	struct allocation *memory = &reader->event.allocation;
	uint32_t kind = nvprofread_number(row, MEMORY_KIND);
	uint64_t end = moment(row, MEMORY_END);

	if (reader->again) {
		memory->frame.flags = ALLOCATION_FREED;
		memory->enter = memory->leave = end;
		return 1;
	}
	*memory = (struct allocation){
		.frame.kind = FRAME_ALLOCATION,
		.enter = moment(row, MEMORY_START),
		.leave = moment(row, MEMORY_START),
		.address = moment(row, MEMORY_ADDRESS),
		.bytes = moment(row, MEMORY_BYTES),
		.memory = kind <= MEMORY_KIND_STATIC ? (uint16_t)kind : MEMORY_KIND_UNKNOWN,
		.context =
			nvprofread_find_context(reader, sqlite.column_int64(row, MEMORY_CONTEXT)),
	};
	memory->api = api_of(reader, memory->context);
	memory->device = nvprofread_find_device(reader, sqlite.column_int64(row, MEMORY_ON_DEVICE));
	if (nvprofread_name(reader, sqlite.column_int64(row, MEMORY_NAME), &memory->name, error))
		return -1;
	return end ? 2 : 1;
}

static int take_wait(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	struct wait *wait = &reader->event.wait;
	uint32_t event = nvprofread_number(row, WAIT_EVENT);

	(void)error;
	*wait = (struct wait){
		.frame.kind = FRAME_WAIT,
		.enter = moment(row, WAIT_START),
		.leave = moment(row, WAIT_END),
		.event = event == UINT32_MAX ? 0 : moment(row, WAIT_EVENT),
		.context = nvprofread_find_context(reader, sqlite.column_int64(row, WAIT_CONTEXT)),
		.kind = (uint16_t)nvprofread_number(row, WAIT_TYPE),
		.stream = nvprofread_number(row, WAIT_STREAM),
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
	int64_t flag = sqlite.column_int64(row, STREAM_FLAG);
	int64_t priority = sqlite.column_int64(row, STREAM_PRIORITY);

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
		.context =
			nvprofread_find_context(reader, sqlite.column_int64(row, STREAM_CONTEXT)),
		.priority = (int16_t)priority,
		.stream = nvprofread_number(row, STREAM_NUMBER),
	};
	queue->api = api_of(reader, queue->context);
	queue->device = device_of(reader, queue->context);
	return 1;
}

static int take_overhead(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	enum { OF_THREAD = 2 };
	uint32_t kind = nvprofread_number(row, OVERHEAD_KIND);
	uint32_t thread = thread_of(row, OVERHEAD_OBJECT);
	bool is_of_thread = sqlite.column_int64(row, OVERHEAD_OBJECT_KIND) == OF_THREAD;

	(void)error;
	reader->event.overhead = (struct overhead){
		.frame = {.kind = FRAME_OVERHEAD, .thread = thread},
		.enter = moment(row, OVERHEAD_START),
		.leave = moment(row, OVERHEAD_END),
		.object = is_of_thread ? thread : 0,
		.api = API_ASSUMED,
		.kind = (uint16_t)(kind >> 16 ? (kind >> 16) + 1 : kind),
	};
	return 1;
}

/* A row without a time or of an unknown kind is not an event. */
static int take_managed(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	uint32_t kind = nvprofread_number(row, MANAGED_KIND);
	uint32_t flags = nvprofread_number(row, MANAGED_FLAGS);
	uint64_t start = moment(row, MANAGED_START), end = moment(row, MANAGED_END);

	(void)error;
	if (!start || kind > UINT8_MAX)
		return 0;
	reader->event.managed = (struct managed){
		.frame = {.kind = FRAME_MANAGED, .flags = end < start ? MANAGED_MOMENT : 0},
		.enter = start,
		.leave = end < start ? start : end,
		.value = moment(row, MANAGED_VALUE),
		.address = moment(row, MANAGED_ADDRESS),
		.api = API_ASSUMED,
		.kind = (uint8_t)kind,
		.cause = flags > UINT8_MAX ? 0 : (uint8_t)flags,
		.source = nvprofread_number(row, MANAGED_SOURCE),
		.target = nvprofread_number(row, MANAGED_TARGET),
		.stream = nvprofread_number(row, MANAGED_STREAM),
	};
	return 1;
}

/* clang-format off */
static const struct table tables[] = {
	{.name = NVPROF "MARKER", .take = take_mark, .columns = {
		[MARK_ID] = "id", [MARK_FLAGS] = "flags", [MARK_TIME] = "timestamp",
		[MARK_OBJECT_KIND] = "objectKind", [MARK_OBJECT] = "objectId",
		[MARK_NAME] = "name", [MARK_DOMAIN] = "domain" }},
	{.name = NVPROF "MEMORY", .take = take_memory, .columns = {
		[MEMORY_KIND] = "memoryKind", [MEMORY_ADDRESS] = "address",
		[MEMORY_BYTES] = "bytes", [MEMORY_START] = "start", [MEMORY_END] = "end",
		[MEMORY_ON_DEVICE] = "deviceId", [MEMORY_CONTEXT] = "contextId",
		[MEMORY_NAME] = "name" }},
	{.name = NVPROF "SYNCHRONIZATION", .take = take_wait, .columns = {
		[WAIT_TYPE] = "type", [WAIT_START] = "start", [WAIT_END] = "end",
		[WAIT_CONTEXT] = "contextId", [WAIT_STREAM] = "streamId",
		[WAIT_EVENT] = "cudaEventId" }},
	{.name = NVPROF "STREAM", .take = take_queue, .columns = {
		[STREAM_CONTEXT] = "contextId", [STREAM_NUMBER] = "streamId",
		[STREAM_PRIORITY] = "priority", [STREAM_FLAG] = "flag" }},
	{.name = NVPROF "OVERHEAD", .take = take_overhead, .columns = {
		[OVERHEAD_KIND] = "overheadKind", [OVERHEAD_OBJECT_KIND] = "objectKind",
		[OVERHEAD_OBJECT] = "objectId", [OVERHEAD_START] = "start",
		[OVERHEAD_END] = "end" }},
	{.name = NVPROF "UNIFIED_MEMORY_COUNTER", .take = take_managed, .columns = {
		[MANAGED_KIND] = "counterKind", [MANAGED_VALUE] = "value",
		[MANAGED_START] = "start", [MANAGED_END] = "end", [MANAGED_ADDRESS] = "address",
		[MANAGED_SOURCE] = "srcId", [MANAGED_TARGET] = "dstId",
		[MANAGED_STREAM] = "streamId", [MANAGED_FLAGS] = "flags" }},
};
/* clang-format on */

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
		result = reader->events ? sqlite.step(reader->events) : SQLITE_DONE;
		if (result == SQLITE_ROW)
			return 1;
		if (result != SQLITE_DONE)
			return database_refused(reader->database, error);
		sqlite.finalize(reader->events);
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
