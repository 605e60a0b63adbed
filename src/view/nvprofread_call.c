/* SPDX-License-Identifier: MIT */
#include "view/nvprofread.h"

#include "view/database.h"

#define NVPROF "CUPTI_ACTIVITY_KIND_"

static const char *const call_tables[READ_CALLS] = {NVPROF "RUNTIME", NVPROF "DRIVER"};
static const char *const call_columns[] = {"start", "end", "threadId", NULL};

bool nvprofread_has_index(struct nvprofread *reader, const char *table)
{
	static const char sql[] = "SELECT 1 FROM pragma_index_list(?1) AS l, "
				  "pragma_index_info(l.name) AS i WHERE i.seqno = 0 "
				  "AND i.name = 'correlationId' AND NOT l.partial";
	sqlite3_stmt *statement = NULL;
	bool has;

	if (sqlite3_prepare_v2(reader->database, sql, -1, &statement, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
	has = sqlite3_step(statement) == SQLITE_ROW;
	sqlite3_finalize(statement);
	return has;
}

/* Each record looks its call up: without an index that would take for ever. */
static int copy_calls(struct nvprofread *reader, int i, struct strbuf *error)
{
	struct strbuf sql = STRBUF_INIT;
	int result;

	strbuf_printf(&sql,
		      "CREATE TEMP TABLE calls%d AS SELECT correlationId, start, \"end\", threadId "
		      "FROM main.%s; CREATE INDEX temp.index%d ON calls%d(correlationId)",
		      i, call_tables[i], i, i);
	result = database_run(reader->database, strbuf_text(&sql), error);
	sql.length = 0;
	strbuf_printf(&sql,
		      "SELECT start, \"end\", threadId FROM temp.calls%d WHERE correlationId = ?",
		      i);
	if (!result)
		result = database_prepare(reader->database, strbuf_text(&sql), &reader->calls[i],
					  error);
	strbuf_free(&sql);
	return result;
}

int nvprofread_begin(struct nvprofread *reader, struct strbuf *error)
{
	for (int i = 0; i < READ_CALLS; i++) {
		const char *table = call_tables[i];

		if (!nvprofread_has(reader, table, "correlationId") ||
		    !nvprofread_has(reader, table, "start") ||
		    !nvprofread_has(reader, table, "end") ||
		    !nvprofread_has(reader, table, "threadId"))
			continue;
		if (nvprofread_has_index(reader, table))
			reader->calls[i] = nvprofread_select(reader, table, call_columns,
							     " WHERE correlationId = ?", error);
		else
			copy_calls(reader, i, error);
		if (!reader->calls[i])
			return -1;
	}
	return nvprofread_begin_counters(reader, error);
}

bool nvprofread_call(struct nvprofread *reader, struct record *record, int64_t correlation)
{
	bool found = false;

	for (int i = 0; i < READ_CALLS && !found; i++) {
		sqlite3_stmt *call = reader->calls[i];

		if (!call)
			continue;
		sqlite3_bind_int64(call, 1, correlation);
		if (sqlite3_step(call) == SQLITE_ROW) {
			found = true;
			record->enter = (uint64_t)sqlite3_column_int64(call, 0);
			record->leave = (uint64_t)sqlite3_column_int64(call, 1);
			record->frame.thread = (uint32_t)sqlite3_column_int64(call, 2);
		}
		sqlite3_reset(call);
	}
	return found;
}
