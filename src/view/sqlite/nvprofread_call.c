/* SPDX-License-Identifier: MIT */
/* Calls. nvprof identifies them by CUPTI's numbers, computeprof by the names of the functions. */
#include "model/api.h"
#include "view/sqlite/cuptiname.h"
#include "view/sqlite/libsqlite.h"
#include "view/sqlite/nvprofread.h"

enum { RUNTIME, DRIVER };

static const char *const tables[READ_CALLS] = {
	[RUNTIME] = NVPROF "RUNTIME",
	[DRIVER] = NVPROF "DRIVER",
};

enum {
	CALL_CORRELATION, /* the order of a cursor */
	CALL_START,
	CALL_END,
	CALL_THREAD,
	CALL_NUMBER,
	CALL_RESULT,
	CALL_COLUMNS
};

static const char *const call_columns[CALL_COLUMNS + 1] = {
	[CALL_CORRELATION] = "correlationId", [CALL_START] = "start", [CALL_END] = "end",
	[CALL_THREAD] = "threadId",	      [CALL_NUMBER] = "cbid", [CALL_RESULT] = "returnValue",
};

int nvprofread_open_calls(struct nvprofread *reader, struct strbuf *error)
{
	static const char *const name_columns[] = {"correlationId", "name", NULL};

	for (int i = 0; i < READ_CALLS; i++) {
		if (!database_has(reader->database, tables[i], "start") ||
		    !database_has(reader->database, tables[i], "end"))
			continue;
		if (nvprofread_open(reader, &reader->calls[i], tables[i], call_columns, error))
			return -1;
	}
	if (!reader->own)
		return 0;
	return nvprofread_open(reader, &reader->names, "CP_API_NAME", name_columns, error);
}

/* Sets `name`. Returns 1; 0 if the trace does not have this call; -1 on an error. */
static int own_name(struct nvprofread *reader, int64_t correlation, uint32_t *name,
		    struct strbuf *error)
{
	struct nvprofread_cursor *names = &reader->names;
	int result = 0;

	*name = 0;
	while (names->rows && names->correlation < correlation && result >= 0)
		result = nvprofread_step(reader, names, error);
	if (result < 0)
		return -1;
	if (!names->rows || names->correlation != correlation)
		return 0;
	if (nvprofread_name(reader, sqlite.column_int64(names->rows, 1), name, error))
		return -1;
	return 1;
}

static void set_name(struct nvprofread *reader, bool driver, uint32_t number)
{
	struct strbuf name = STRBUF_INIT;

	cuptiname_put(&name, driver, number);
	reader->call.name = names_intern(reader->catalog.names, strbuf_text(&name), name.length);
	strbuf_free(&name);
}

/* Returns true if a record with this correlation exists: then it is the current row of some cursor,
 * since all smaller correlations were read. */
static bool has_record(const struct nvprofread *reader, int64_t correlation)
{
	for (int i = 0; i < READ_RECORDS; i++)
		if (reader->records[i].rows && reader->records[i].correlation == correlation)
			return true;
	return false;
}

/* The first call of a correlation is the one that made its records. */
static void set_caller(struct nvprofread *reader, int64_t correlation)
{
	struct call *call = &reader->call;

	if (!correlation || correlation == reader->caller.correlation)
		return;
	reader->caller = (struct nvprofread_caller){
		.correlation = correlation,
		.enter = call->enter,
		.leave = call->leave,
		.thread = call->frame.thread,
	};
	call->records = has_record(reader, correlation);
	call->made = call->records ? (uint64_t)correlation : 0;
}

/* Calls in files of nvprof are CUDA's. In files of computeprof the name of the function shows the
 * API. */
static enum api api_of(const struct nvprofread *reader, uint32_t name)
{
	const char *text = reader->own ? names_text(reader->catalog.names, name, NULL) : "";

	for (int api = 0; api < API_COUNT; api++) {
		const char *prefix = api_rows[api].function_prefix;

		if (prefix && !strncmp(text, prefix, strlen(prefix)))
			return (enum api)api;
	}
	return API_ASSUMED;
}

int nvprofread_take_call(struct nvprofread *reader, unsigned int table, struct strbuf *error)
{
	int64_t correlation = reader->calls[table].correlation;
	sqlite3_stmt *row = reader->calls[table].rows;
	int64_t result = sqlite.column_int64(row, CALL_RESULT);
	uint32_t number = nvprofread_number(row, CALL_NUMBER);
	struct call *call = &reader->call;
	int64_t start = sqlite.column_int64(row, CALL_START);
	int64_t end = sqlite.column_int64(row, CALL_END);
	int told = 1;

	if (start <= 0 || end < start)
		return 0; /* CUPTI could not take its times */
	*call = (struct call){
		.frame = {.size = sizeof(*call),
			  .kind = FRAME_CALL,
			  .correlation = (uint64_t)correlation,
			  .thread = (uint32_t)sqlite.column_int64(row, CALL_THREAD)},
		.enter = (uint64_t)start,
		.leave = (uint64_t)end,
		.result = result < INT32_MIN || result > INT32_MAX ? INT32_MIN : (int32_t)result,
	};
	set_caller(reader, correlation);
	if (!reader->own)
		set_name(reader, table == DRIVER, number);
	else
		told = own_name(reader, correlation, &call->name, error);
	call->api = (uint16_t)api_of(reader, call->name);
	/* A call of another API has no number of CUPTI: its cbid in the file is that of a
	 * similar CUDA function, for readers that search by cbid (doc/FORMAT). */
	call->number = api_row(call->api)->compute_kind ? number : 0;
	return told;
}

/* All kernels of a graph launch have the same call; the first kernel gets the times of the call. */
void nvprofread_set_call(struct nvprofread *reader, struct record *record, int64_t correlation)
{
	struct nvprofread_caller *caller = &reader->caller;
	bool is_called = correlation && caller->correlation == correlation;

	record->frame.correlation = (uint64_t)correlation;
	if (is_called) {
		record->enter = caller->enter;
		record->leave = caller->leave;
		record->frame.thread = caller->thread;
	}
	if (is_called && !caller->has_record) {
		caller->has_record = true;
		return;
	}
	record->frame.flags |= RECORD_NO_CALL;
	if (!record->enter)
		record->enter = record->started ? record->started : reader->catalog.process.started;
	record->leave = record->enter;
}
