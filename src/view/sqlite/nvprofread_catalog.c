/* SPDX-License-Identifier: MIT */
#include "model/api.h"
#include "output/unescape.h"
#include "view/sqlite/libsqlite.h"
#include "view/sqlite/nvprofread.h"

#include <string.h>

#include "output/logreader.h"

/* The tables that show when the program started, for files without CP_PROCESS. */
static const char *const timed_tables[] = {
	NVPROF "RUNTIME", NVPROF "DRIVER", NVPROF "CONCURRENT_KERNEL",
	NVPROF "KERNEL",  NVPROF "MEMCPY", NVPROF "MEMCPY2",
	NVPROF "MEMSET",  NVPROF "CDP_KERNEL",
};

/* Reads one row of the table. Returns 1, 0 if there is none, or -1 with one sentence. The caller
 * finalizes `*statement`. */
static int one_row(struct nvprofread *reader, const char *table, const char *const *columns,
		   const char *where, int64_t number, sqlite3_stmt **statement,
		   struct strbuf *error)
{
	int result;

	*statement = nvprofread_select(reader, table, columns, where, error);
	if (!*statement)
		return error->length ? -1 : 0;
	sqlite.bind_int64(*statement, 1, number);
	result = sqlite.step(*statement);
	if (result == SQLITE_ROW || result == SQLITE_DONE)
		return result == SQLITE_ROW;
	return database_refused(reader->database, error);
}

int nvprofread_name(struct nvprofread *reader, int64_t number, uint32_t *name, struct strbuf *error)
{
	size_t slot = (uint64_t)number % READ_STRINGS;
	struct strbuf bytes = STRBUF_INIT;
	const char *text;

	*name = 0;
	if (!number)
		return 0;
	if (reader->strings[slot].number == number) {
		*name = reader->strings[slot].name;
		return 0;
	}
	sqlite.bind_int64(reader->string, 1, number);
	if (sqlite.step(reader->string) == SQLITE_ROW &&
	    (text = (const char *)sqlite.column_text(reader->string, 0))) {
		struct log_text found = {text, (size_t)sqlite.column_bytes(reader->string, 0)};

		if (reader->own)
			unescape_name(found, &bytes);
		else
			strbuf_append(&bytes, found.text, found.length);
		*name = names_intern(reader->catalog.names, strbuf_text(&bytes), bytes.length);
	}
	strbuf_free(&bytes);
	if (sqlite.reset(reader->string) != SQLITE_OK)
		return database_refused(reader->database, error);
	reader->strings[slot].number = number;
	reader->strings[slot].name = *name;
	return 0;
}

/* What CP_DEVICE or CP_CONTEXT stores for a number of the file: the API, and the number in that
 * API. */
static int own_number(struct nvprofread *reader, const char *table, const char *where,
		      int64_t number, enum api *api, uint32_t *own, struct strbuf *error)
{
	static const char *const columns[] = {"api", "number", NULL};
	sqlite3_stmt *statement;
	int result = one_row(reader, table, columns, where, number, &statement, error);

	*api = API_ASSUMED;
	if (result > 0) {
		uint32_t given = nvprofread_number(statement, 0);

		*api = given < API_COUNT ? (enum api)given : API_ASSUMED;
		*own = nvprofread_number(statement, 1);
	}
	sqlite.finalize(statement);
	return result < 0 ? -1 : 0;
}

static int too_many(const char *what, struct strbuf *error)
{
	strbuf_printf(error, "the database has too many %s", what);
	return -1;
}

static int add_device(struct nvprofread *reader, int64_t number, struct device *device,
		      struct strbuf *error)
{
	int id;

	device->number = number < 0 || number > UINT32_MAX ? 0 : (uint32_t)number;
	if (own_number(reader, "CP_DEVICE", " WHERE deviceId = ?", number, &device->api,
		       &device->number, error))
		return -1;
	id = catalog_add_device(&reader->catalog, device);
	if (id < 0)
		return too_many("devices", error);
	reader->devices[id] = number;
	reader->last_device = (uint32_t)id;
	return 0;
}

static int add_context(struct nvprofread *reader, int64_t number, uint32_t device,
		       struct strbuf *error)
{
	struct context context = {.device = device};
	int id;

	context.index = number < 1 || number > UINT32_MAX ? 0 : (uint32_t)number - 1;
	if (own_number(reader, "CP_CONTEXT", " WHERE contextId = ?", number, &context.api,
		       &context.index, error))
		return -1;
	if (!reader->own)
		context.api = catalog_device(&reader->catalog, device)->api;
	id = catalog_add_context(&reader->catalog, &context);
	if (id < 0)
		return too_many("contexts", error);
	reader->contexts[id] = number;
	reader->last_context = (uint32_t)id;
	return 0;
}

/* Returns the index of the number, which is mostly the last one; `count` if it is not found. */
static uint32_t place_of(const int64_t *numbers, uint32_t count, uint32_t last, int64_t number)
{
	uint32_t i = 0;

	if (last < count && numbers[last] == number)
		return last;
	while (i < count && numbers[i] != number)
		i++;
	return i;
}

int nvprofread_device(struct nvprofread *reader, int64_t number, uint32_t *id, struct strbuf *error)
{
	uint32_t count = reader->catalog.device_count;

	*id = place_of(reader->devices, count, reader->last_device, number);
	reader->last_device = *id;
	if (*id < count)
		return 0;
	return add_device(reader, number, &(struct device){.name = "unknown"}, error);
}

int nvprofread_context(struct nvprofread *reader, int64_t number, uint32_t device, uint32_t *id,
		       struct strbuf *error)
{
	uint32_t count = reader->catalog.context_count;

	if (reader->own && !number) { /* unknown; its contexts count from 1 */
		*id = CATALOG_CONTEXTS;
		return 0;
	}
	*id = place_of(reader->contexts, count, reader->last_context, number);
	reader->last_context = *id;
	return *id < count ? 0 : add_context(reader, number, device, error);
}

uint32_t nvprofread_find_device(const struct nvprofread *reader, int64_t number)
{
	uint32_t count = reader->catalog.device_count;
	uint32_t id = place_of(reader->devices, count, reader->last_device, number);

	return id < count ? id : UINT32_MAX;
}

uint32_t nvprofread_find_context(const struct nvprofread *reader, int64_t number)
{
	uint32_t count = reader->catalog.context_count;
	uint32_t id = place_of(reader->contexts, count, reader->last_context, number);

	return id < count ? id : UINT32_MAX;
}

static int read_device(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	uint32_t count = reader->catalog.device_count;
	int64_t number = sqlite.column_int64(row, 0);
	struct device device = {
		.multiprocessors = nvprofread_number(row, 2),
		.compute_major = nvprofread_number(row, 3),
		.compute_minor = nvprofread_number(row, 4),
	};
	uint32_t name;

	if (place_of(reader->devices, count, 0, number) < count)
		return 0;
	if (nvprofread_name(reader, sqlite.column_int64(row, 1), &name, error))
		return -1;
	device.name = name ? names_text(reader->catalog.names, name, NULL) : "unknown";
	return add_device(reader, number, &device, error);
}

static int read_context(struct nvprofread *reader, sqlite3_stmt *row, struct strbuf *error)
{
	uint32_t device, id;

	if (nvprofread_device(reader, sqlite.column_int64(row, 1), &device, error))
		return -1;
	return nvprofread_context(reader, sqlite.column_int64(row, 0), device, &id, error);
}

/* Calls `take` for each row of the table. */
static int read_all(struct nvprofread *reader, const char *table, const char *const *columns,
		    int (*take)(struct nvprofread *, sqlite3_stmt *, struct strbuf *),
		    struct strbuf *error)
{
	sqlite3_stmt *rows = nvprofread_select(reader, table, columns, "", error);
	int result = 0, step = SQLITE_DONE;

	if (!rows)
		return error->length ? -1 : 0;
	while (!result && (step = sqlite.step(rows)) == SQLITE_ROW)
		result = take(reader, rows, error);
	if (!result && step != SQLITE_DONE)
		result = database_refused(reader->database, error);
	sqlite.finalize(rows);
	return result;
}

/* Files of nvprof do not have the start of the program, and its process id only in the rows of
 * calls. Errors are ignored here: the data counts as unknown, and a later read reports them. */
static void find_process(struct nvprofread *reader)
{
	static const char *const id[] = {"processId", NULL}, *const start[] = {"start", NULL};
	struct process *process = &reader->catalog.process;
	struct strbuf ignored = STRBUF_INIT;
	sqlite3_stmt *row;

	for (size_t i = 0; i < sizeof(timed_tables) / sizeof(timed_tables[0]); i++) {
		if (one_row(reader, timed_tables[i], start, " WHERE start > 0 ORDER BY 1 LIMIT 1",
			    0, &row, &ignored) > 0 &&
		    (!process->started || process->started > (uint64_t)sqlite.column_int64(row, 0)))
			process->started = (uint64_t)sqlite.column_int64(row, 0);
		sqlite.finalize(row);
		if (!process->pid &&
		    one_row(reader, timed_tables[i], id, " LIMIT 1", 0, &row, &ignored) > 0)
			process->pid = nvprofread_number(row, 0);
		else if (process->pid)
			continue;
		sqlite.finalize(row);
	}
	strbuf_free(&ignored);
}

/* Returns 0 for a negative number or a missing column. */
static uint64_t count_of(sqlite3_stmt *row, int column)
{
	int64_t count = sqlite.column_int64(row, column);

	return count < 0 ? 0 : (uint64_t)count;
}

/* Reads the command line. The file does not separate its arguments. */
static int read_command(struct nvprofread *reader, int64_t number, struct strbuf *error)
{
	struct process *process = &reader->catalog.process;
	const char *text;
	uint32_t name;
	size_t length;

	if (nvprofread_name(reader, number, &name, error))
		return -1;
	text = names_text(reader->catalog.names, name, &length);
	if (!length || !catalog_command(&reader->catalog))
		return 0;
	process->command_length = (uint32_t)(length < PROCESS_COMMAND ? length : PROCESS_COMMAND);
	memcpy(process->command, text, process->command_length);
	return 0;
}

/* Times in the file are epoch times, so no offset is added. */
static enum trace_cut cut_of(sqlite3_int64 stored)
{
	if (stored == TRACE_CUT_AT_FRAME || stored == TRACE_CUT_IN_THE_MIDDLE)
		return (enum trace_cut)stored;
	return stored ? TRACE_CUT_IN_FRAME : TRACE_WHOLE;
}

static int read_process(struct nvprofread *reader, struct strbuf *error)
{
	static const char *const columns[] = {"processId", "start", "lost", "cutOff",
					      "lostEvents", "command", NULL};
	struct process *process = &reader->catalog.process;
	sqlite3_stmt *row;
	int result = one_row(reader, "CP_PROCESS", columns, " LIMIT 1", 0, &row, error);

	if (result > 0) {
		reader->own = true;
		process->pid = nvprofread_number(row, 0);
		process->started = (uint64_t)sqlite.column_int64(row, 1);
		reader->lost_events = count_of(row, 4);
		reader->lacks_events = sqlite.column_int64(row, 4) < 0;
		reader->lost = count_of(row, 2) + reader->lost_events;
		reader->cut = cut_of(sqlite.column_int64(row, 3));
		if (sqlite.column_int64(row, 5))
			result = read_command(reader, sqlite.column_int64(row, 5), error);
		result = result < 0 ? -1 : 1;
	}
	sqlite.finalize(row);
	if (!result)
		find_process(reader);
	return result < 0 ? -1 : 0;
}

int nvprofread_catalog(struct nvprofread *reader, struct strbuf *error)
{
	static const char *const device[] = {"id",
					     "name",
					     "numMultiprocessors",
					     "computeCapabilityMajor",
					     "computeCapabilityMinor",
					     NULL};
	static const char *const context[] = {"contextId", "deviceId", NULL};

	if (read_process(reader, error))
		return -1;
	if (read_all(reader, NVPROF "DEVICE", device, read_device, error))
		return -1;
	return read_all(reader, NVPROF "CONTEXT", context, read_context, error);
}
