/* SPDX-License-Identifier: MIT */
/*
 * Events other than calls. One row may combine two events that are far apart in the trace. So all
 * of them go to temporary tables of SQLite (in files), one per kind and equal for all forms of
 * database; at the end the SQL of the form makes its rows from them.
 */
#include "view/sqlite/nvprof.h"

#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"

/* A row that is filled from the left. */
struct row {
	struct nvprof *nvprof;
	sqlite3_stmt *statement;
	int count;
	bool failed;
};

static void put(struct row *row, int64_t value)
{
	row->failed |= sqlite.bind_int64(row->statement, ++row->count, value) != SQLITE_OK;
}

static void put_bytes(struct row *row, const void *bytes, int size)
{
	row->failed |= sqlite.bind_blob(row->statement, ++row->count, bytes, size,
					SQLITE_TRANSIENT) != SQLITE_OK;
}

static int put_field(struct row *row, enum field_id id, const void *frame, struct strbuf *error)
{
	int64_t value;

	if (nvprof_value(row->nvprof, &field_rows[id], frame, 0, &value, error))
		return -1;
	put(row, value);
	return 0;
}

/* CUpti_ActivityObjectKindId of a thread, or of the process if `thread` is 0. */
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

/* The following values are computed; return values as put_field. */
static int put_mark_id(struct row *row, const void *frame, struct strbuf *error)
{
	const struct mark *mark = frame;

	(void)error;
	put(row, (int64_t)(mark->id ? mark->id : mark->frame.correlation));
	return 0;
}

static int put_mark_object(struct row *row, const void *frame, struct strbuf *error)
{
	const struct mark *mark = frame;
	uint16_t flags = mark->frame.flags;
	bool of_process = flags & (MARK_START | MARK_END) && !(flags & MARK_PUSHED);

	(void)error;
	put_object(row, of_process ? 0 : mark->frame.thread);
	return 0;
}

/* The end of a range has neither a name nor a domain. */
static int put_unless_end(struct row *row, enum field_id id, const struct mark *mark,
			  struct strbuf *error)
{
	if (!(mark->frame.flags & MARK_END))
		return put_field(row, id, mark, error);
	put(row, 0);
	return 0;
}

static int put_mark_name(struct row *row, const void *frame, struct strbuf *error)
{
	return put_unless_end(row, FIELD_MARK_NAME, frame, error);
}

static int put_mark_domain(struct row *row, const void *frame, struct strbuf *error)
{
	return put_unless_end(row, FIELD_MARK_DOMAIN, frame, error);
}

static int put_mark_payload(struct row *row, const void *frame, struct strbuf *error)
{
	const struct mark *mark = frame;

	(void)error;
	put_bytes(row, &mark->payload, sizeof(mark->payload));
	return 0;
}

/* The payload as a number of SQLite; above 63 bits it is negative. */
static int put_mark_value(struct row *row, const void *frame, struct strbuf *error)
{
	const struct mark *mark = frame;
	double real;

	(void)error;
	if (mark->payload_kind != PAYLOAD_DOUBLE) {
		put(row, (int64_t)mark->payload);
		return 0;
	}
	memcpy(&real, &mark->payload, sizeof(real));
	row->failed |= sqlite.bind_double(row->statement, ++row->count, real) != SQLITE_OK;
	return 0;
}

/* Freed memory may be reused before the call returns; allocated memory is usable on return. */
static int put_allocation_moment(struct row *row, const void *frame, struct strbuf *error)
{
	const struct frame *allocation = frame;
	bool freed = allocation->flags & ALLOCATION_FREED;

	return put_field(row, freed ? FIELD_TIMED_ENTER : FIELD_TIMED_LEAVE, frame, error);
}

static int put_allocation_freed(struct row *row, const void *frame, struct strbuf *error)
{
	const struct frame *allocation = frame;

	(void)error;
	put(row, allocation->flags & ALLOCATION_FREED);
	return 0;
}

static int put_queue_priority(struct row *row, const void *frame, struct strbuf *error)
{
	const struct field *field = &field_rows[FIELD_QUEUE_PRIORITY];

	(void)error;
	put(row, field_is_known(field, frame) ? (int64_t)field_get(field, frame, 0) : 0);
	return 0;
}

static int put_queue_flag(struct row *row, const void *frame, struct strbuf *error)
{
	enum { DEFAULT = 1, NON_BLOCKING = 2 }; /* CUpti_ActivityStreamFlag */
	const struct frame *queue = frame;

	(void)error;
	put(row, queue->flags & QUEUE_UNORDERED ? NON_BLOCKING : DEFAULT);
	return 0;
}

/* The bytes of CUpti_ActivityDeviceAttribute. */
static int put_attribute_key(struct row *row, const void *frame, struct strbuf *error)
{
	const struct attribute *attribute = frame;
	const uint32_t key = attribute->number;

	(void)error;
	put_bytes(row, &key, sizeof(key));
	return 0;
}

static int put_attribute_bytes(struct row *row, const void *frame, struct strbuf *error)
{
	const struct attribute *attribute = frame;

	(void)error;
	put_bytes(row, attribute->value, attribute->number == ATTRIBUTE_UUID ? 16 : 8);
	return 0;
}

static int put_attribute_value(struct row *row, const void *frame, struct strbuf *error)
{
	const struct attribute *attribute = frame;

	(void)error;
	put(row, (int64_t)attribute->value[0]);
	return 0;
}

static int put_managed_end(struct row *row, const void *frame, struct strbuf *error)
{
	const struct frame *managed = frame;

	if (!(managed->flags & MANAGED_MOMENT))
		return put_field(row, FIELD_TIMED_LEAVE, frame, error);
	put(row, 0);
	return 0;
}

static int put_process(struct row *row, const void *frame, struct strbuf *error)
{
	(void)frame;
	(void)error;
	put(row, row->nvprof->catalog->process.pid);
	return 0;
}

static int put_overhead_object(struct row *row, const void *frame, struct strbuf *error)
{
	const struct overhead *overhead = frame;

	(void)error;
	put_object(row, overhead->object);
	return 0;
}

enum { COLUMNS = 12 /* maximum */ };

/* A column has a field, or a function. */
struct column {
	const char *name;
	enum field_id field;
	int (*put)(struct row *row, const void *frame, struct strbuf *error);
};

/* clang-format off */
static const struct event_table {
	const char *name;
	bool is_there; /* created by nvprof.c, with a key */
	struct column columns[COLUMNS + 1];
} event_tables[FRAME_KINDS] = {
	[FRAME_MARK] = {"marks", false, {
		{"moment", FIELD_TIMED_ENTER, NULL}, {"flags", FIELD_FRAME_FLAGS, NULL},
		{"id", FIELD_NONE, put_mark_id}, {"thread", FIELD_FRAME_THREAD, NULL},
		{"object", FIELD_NONE, put_mark_object}, {"name", FIELD_NONE, put_mark_name},
		{"domain", FIELD_NONE, put_mark_domain},
		{"payload_kind", FIELD_MARK_PAYLOAD_KIND, NULL},
		{"payload", FIELD_NONE, put_mark_payload}, {"value", FIELD_NONE, put_mark_value},
		{"color", FIELD_MARK_COLOR, NULL}, {"category", FIELD_MARK_CATEGORY, NULL} }},
	[FRAME_ALLOCATION] = {"allocations", false, {
		{"moment", FIELD_NONE, put_allocation_moment},
		{"freed", FIELD_NONE, put_allocation_freed},
		{"memory", FIELD_ALLOCATION_MEMORY, NULL},
		{"address", FIELD_ALLOCATION_ADDRESS, NULL},
		{"bytes", FIELD_ALLOCATION_BYTES, NULL}, {"api", FIELD_EVENT_API, NULL},
		{"device", FIELD_ALLOCATION_DEVICE, NULL},
		{"context", FIELD_ALLOCATION_CONTEXT, NULL},
		{"name", FIELD_ALLOCATION_NAME, NULL} }},
	[FRAME_WAIT] = {"pauses", false, {
		{"start", FIELD_TIMED_ENTER, NULL}, {"end", FIELD_TIMED_LEAVE, NULL},
		{"kind", FIELD_WAIT_KIND, NULL}, {"event", FIELD_WAIT_EVENT, NULL},
		{"device", FIELD_WAIT_DEVICE, NULL}, {"context", FIELD_WAIT_CONTEXT, NULL},
		{"stream", FIELD_WAIT_STREAM, NULL}, {"thread", FIELD_FRAME_THREAD, NULL} }},
	[FRAME_QUEUE] = {"streams", true, {
		{"context", FIELD_QUEUE_CONTEXT, NULL}, {"stream", FIELD_QUEUE_STREAM, NULL},
		{"priority", FIELD_NONE, put_queue_priority},
		{"flag", FIELD_NONE, put_queue_flag}, {"start", FIELD_TIMED_ENTER, NULL},
		{"end", FIELD_TIMED_LEAVE, NULL}, {"thread", FIELD_FRAME_THREAD, NULL} }},
	[FRAME_RECORDED] = {"recorded", false, {
		{"start", FIELD_TIMED_ENTER, NULL}, {"end", FIELD_TIMED_LEAVE, NULL},
		{"thread", FIELD_FRAME_THREAD, NULL}, {"event", FIELD_RECORDED_EVENT, NULL},
		{"context", FIELD_RECORDED_CONTEXT, NULL},
		{"stream", FIELD_RECORDED_STREAM, NULL} }},
	[FRAME_ATTRIBUTE] = {"attributes", false, {
		{"device", FIELD_ATTRIBUTE_DEVICE, NULL}, {"number", FIELD_ATTRIBUTE_NUMBER, NULL},
		{"value", FIELD_NONE, put_attribute_value}, {"key", FIELD_NONE, put_attribute_key},
		{"bytes", FIELD_NONE, put_attribute_bytes} }},
	[FRAME_MANAGED] = {"managed", false, {
		{"start", FIELD_TIMED_ENTER, NULL}, {"end", FIELD_NONE, put_managed_end},
		{"kind", FIELD_MANAGED_KIND, NULL}, {"value", FIELD_MANAGED_VALUE, NULL},
		{"address", FIELD_MANAGED_ADDRESS, NULL}, {"source", FIELD_MANAGED_SOURCE, NULL},
		{"target", FIELD_MANAGED_TARGET, NULL}, {"stream", FIELD_MANAGED_STREAM, NULL},
		{"process", FIELD_NONE, put_process}, {"flags", FIELD_MANAGED_CAUSE, NULL} }},
	[FRAME_OVERHEAD] = {"overheads", false, {
		{"start", FIELD_TIMED_ENTER, NULL}, {"end", FIELD_TIMED_LEAVE, NULL},
		{"kind", FIELD_OVERHEAD_KIND, NULL}, {"thread", FIELD_OVERHEAD_OBJECT, NULL},
		{"object", FIELD_NONE, put_overhead_object} }},
};
/* clang-format on */

static int begin_table(struct nvprof *nvprof, int kind, struct strbuf *error)
{
	const struct event_table *table = &event_tables[kind];
	struct strbuf create = STRBUF_INIT, insert = STRBUF_INIT;
	int result = 0;

	strbuf_printf(&create, "CREATE TEMP TABLE %s", table->name);
	strbuf_printf(&insert, "INSERT OR REPLACE INTO temp.%s VALUES ", table->name);
	for (const struct column *column = table->columns; column->name; column++) {
		strbuf_printf(&create, "%s%s", column == table->columns ? "(" : ", ", column->name);
		strbuf_string(&insert, column == table->columns ? "(?" : ", ?");
	}
	strbuf_char(&create, ')');
	strbuf_char(&insert, ')');
	if (!table->is_there)
		result = database_run(nvprof->database, strbuf_text(&create), error);
	if (!result)
		result = database_prepare(nvprof->database, strbuf_text(&insert),
					  &nvprof->note_events[kind], error);
	strbuf_free(&create);
	strbuf_free(&insert);
	return result;
}

int nvprof_begin_events(struct nvprof *nvprof, struct strbuf *error)
{
	static const char ranges[] =
		"CREATE TEMP TABLE ranges(number INTEGER PRIMARY KEY, id INT UNIQUE);";

	for (int i = 0; i < FRAME_KINDS; i++)
		if (event_tables[i].name && begin_table(nvprof, i, error))
			return -1;
	return database_run(nvprof->database, ranges, error);
}

int nvprof_put_event(struct nvprof *nvprof, const struct frame *frame, struct strbuf *error)
{
	const struct column *column = event_tables[frame->kind].columns;
	struct row row = {.nvprof = nvprof, .statement = nvprof->note_events[frame->kind]};

	if (!row.statement)
		return 0;
	nvprof_map_ids(nvprof);
	nvprof->rows++;
	for (; column->name; column++)
		if (column->put ? column->put(&row, frame, error)
				: put_field(&row, column->field, frame, error))
			return -1;
	sqlite.step(row.statement);
	if (sqlite.reset(row.statement) == SQLITE_OK && !row.failed)
		return 0;
	return database_refused(nvprof->database, error);
}
