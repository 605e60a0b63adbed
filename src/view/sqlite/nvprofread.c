/* SPDX-License-Identifier: MIT */
#include "view/sqlite/nvprofread.h"

#include <stdlib.h>
#include <string.h>

#include "view/sqlite/libsqlite.h"

static void close_database(void *at)
{
	struct nvprofread *reader = at;

	sqlite.finalize(reader->string);
	sqlite.finalize(reader->counters);
	sqlite.finalize(reader->known);
	sqlite.finalize(reader->names.rows);
	sqlite.finalize(reader->events);
	for (int i = 0; i < READ_CALLS; i++)
		sqlite.finalize(reader->calls[i].rows);
	for (int i = 0; i < READ_RECORDS; i++)
		sqlite.finalize(reader->records[i].rows);
	sqlite.close(reader->database);
	catalog_free(&reader->catalog);
	free(reader);
}

/* Returns true if each execution of the statement would read the whole table. */
static bool reads_all(struct nvprofread *reader, sqlite3_stmt *statement)
{
	char *sql = sqlite.mprintf("EXPLAIN QUERY PLAN %s", sqlite.sql(statement));
	sqlite3_stmt *plan = NULL;
	bool all = false;

	if (sql && sqlite.prepare_v2(reader->database, sql, -1, &plan, NULL) == SQLITE_OK &&
	    sqlite.step(plan) == SQLITE_ROW) {
		const char *detail = (const char *)sqlite.column_text(plan, 3);

		all = detail && !strncmp(detail, "SCAN", strlen("SCAN"));
	}
	sqlite.finalize(plan);
	sqlite.free(sql);
	return all;
}

/* Texts are looked up by their numbers. If the table has no key, a temporary table with one is
 * made; of texts with the same number the first one is used. */
static int open_strings(struct nvprofread *reader, const char *path, struct strbuf *error)
{
	static const char *const value[] = {"value", NULL};
	static const char keyed[] =
		"CREATE TEMP TABLE strings(_id_ PRIMARY KEY, value) WITHOUT ROWID;"
		"INSERT OR IGNORE INTO temp.strings SELECT _id_, value FROM main.StringTable";

	reader->string = nvprofread_select(reader, "StringTable", value, " WHERE _id_ = ?", error);
	if (!reader->string && !error->length)
		strbuf_printf(error, "%s is a database, but not one of nvprof", path);
	if (!reader->string || !reads_all(reader, reader->string))
		return reader->string ? 0 : -1;
	sqlite.finalize(reader->string);
	reader->string = NULL;
	if (database_run(reader->database, keyed, error))
		return -1;
	return database_prepare(reader->database, "SELECT value FROM temp.strings WHERE _id_ = ?",
				&reader->string, error);
}

static int open_tables(struct nvprofread *reader, const char *path, struct strbuf *error)
{
	/* The first statement that reads the file. */
	if (database_run(reader->database, "SELECT count(*) FROM sqlite_master", error))
		return -1;
	if (open_strings(reader, path, error) || nvprofread_catalog(reader, error))
		return -1;
	return nvprofread_open_calls(reader, error) || nvprofread_open_records(reader, error) ||
			       nvprofread_begin_counters(reader, error) ||
			       nvprofread_begin_known(reader, error)
		       ? -1
		       : 0;
}

static int check_library(const char *path, struct strbuf *error)
{
	struct strbuf why = STRBUF_INIT;
	int result = libsqlite_open(&why);

	if (result)
		strbuf_printf(error, "%s is a database: %s", path, strbuf_text(&why));
	strbuf_free(&why);
	return result;
}

static void *open_database(const char *path, struct strbuf *error)
{
	struct nvprofread *reader;

	if (check_library(path, error))
		return NULL;
	reader = calloc(1, sizeof(*reader));
	if (!reader || catalog_init(&reader->catalog)) {
		free(reader);
		strbuf_string(error, "out of memory");
		return NULL;
	}
	reader->database = database_open(path, &reader->work, error);
	if (reader->database && !open_tables(reader, path, error))
		return reader;
	close_database(reader);
	return NULL;
}

static const struct catalog *catalog_of(const void *reader)
{
	return &((const struct nvprofread *)reader)->catalog;
}

static uint64_t lost_of(const void *reader)
{
	return ((const struct nvprofread *)reader)->lost;
}

static uint64_t lost_events_of(const void *reader)
{
	return ((const struct nvprofread *)reader)->lost_events;
}

static bool lacks_events(const void *reader)
{
	return ((const struct nvprofread *)reader)->lacks_events;
}

static enum trace_cut cut_of(const void *reader)
{
	return ((const struct nvprofread *)reader)->cut;
}

/* The numbers of calls without records in files of computeprof are shown by other tools, but are
 * not used here. */
static bool numbers_calls(const void *reader)
{
	return !((const struct nvprofread *)reader)->own;
}

const struct stream_ops stream_database = {
	.open = open_database,
	.close = close_database,
	.next = nvprofread_next,
	.next_frame = nvprofread_next_frame,
	.catalog = catalog_of,
	.lost = lost_of,
	.lost_events = lost_events_of,
	.lacks_events = lacks_events,
	.cut = cut_of,
	.numbered = true,
	.numbers_calls = numbers_calls,
};
