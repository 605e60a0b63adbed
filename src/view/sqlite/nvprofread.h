/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_NVPROFREAD_H
#define VIEW_SQLITE_NVPROFREAD_H

#include <sqlite3.h>

#include "model/catalog.h"
#include "view/sqlite/database.h"
#include "view/stream/streamops.h"

/*
 * nvprof's database, being read, whether we wrote it or nvprof did: private to nvprofread*.c.
 * Columns are found by their names, as its versions differ; those that are not there are NULL, and
 * NULL or what is no number is 0. Nothing that the file claims is believed without a check.
 */
enum {
	READ_CALLS = 2, /* tables: RUNTIME and DRIVER */
	READ_RECORDS = 7,
	READ_STRINGS = 1 << 12
};

/* A table, row by row, in the order of its correlationId. */
struct nvprofread_cursor {
	sqlite3_stmt *rows;  /* NULL: there is no such table, or no more of it */
	int64_t correlation; /* of the row it is at, the first column */
};

/* The call of which the rows with its correlation are. */
struct nvprofread_caller {
	int64_t correlation; /* 0: none */
	uint64_t enter;
	uint64_t leave;
	uint32_t thread;
	bool has_record; /* there was one already */
};

struct nvprofread {
	sqlite3 *database;
	struct database_work work;
	struct catalog catalog;
	uint64_t lost; /* records and events; the latter */
	uint64_t lost_events;
	bool cut_off;
	bool own;   /* we wrote it: names are escaped */
	bool begun; /* the cursors are at a row each */
	struct nvprofread_cursor calls[READ_CALLS];
	struct nvprofread_cursor records[READ_RECORDS];
	struct nvprofread_cursor names;	 /* of calls: CP_API_NAME */
	struct nvprofread_cursor *taken; /* what was told last is its row, or NULL */
	struct nvprofread_caller caller;
	struct call call;
	unsigned int event_table; /* the one that is read, and its rows: NULL before the first */
	sqlite3_stmt *events;
	bool again; /* the row is two events, and one has been told */
	uint64_t event_count;
	union event event;
	sqlite3_stmt *string;
	sqlite3_stmt *counters; /* NULL where there are none */
	struct counted_record counted;
	/* What was asked for lately, by the low bits of the number in StringTable. */
	struct {
		int64_t number;
		uint32_t name;
	} strings[READ_STRINGS];
	/* The numbers that the file has for what is in the catalog. */
	int64_t devices[CATALOG_DEVICES];
	int64_t contexts[CATALOG_CONTEXTS];
	uint32_t last_device, last_context;
};

/* nvprofread.c: a statement that selects these columns (NULL-ended) of the table; NULL where there
 * is no such table or, with one sentence in `error`, where that cannot be. `where` may be "". */
sqlite3_stmt *nvprofread_select(struct nvprofread *reader, const char *table,
				const char *const *columns, const char *where,
				struct strbuf *error);

/* nvprofread_catalog.c: each 0, or -1 with one sentence; ids of the catalog. */
int nvprofread_catalog(struct nvprofread *reader, struct strbuf *error);
int nvprofread_name(struct nvprofread *reader, int64_t number, uint32_t *name,
		    struct strbuf *error);
int nvprofread_device(struct nvprofread *reader, int64_t number, uint32_t *id,
		      struct strbuf *error);
int nvprofread_context(struct nvprofread *reader, int64_t number, uint32_t device, uint32_t *id,
		       struct strbuf *error);

/* Whether an index of the table begins with correlationId. */
bool nvprofread_has_index(struct nvprofread *reader, const char *table);

/* nvprofread_cursor.c: 0, or -1 with one sentence; of a table that is not there no cursor has any
 * rows. Columns begin with correlationId. Then the next row: 1, 0 at the end, or -1. */
int nvprofread_open(struct nvprofread *reader, struct nvprofread_cursor *cursor, const char *table,
		    const char *const *columns, struct strbuf *error);
int nvprofread_step(struct nvprofread *reader, struct nvprofread_cursor *cursor,
		    struct strbuf *error);

/* nvprofread_call.c: opens the cursors of calls: 0, or -1 with one sentence. What the row of one of
 * them says becomes reader->call and, for its records, reader->caller: 1, 0 where it is not known
 * what the program called, or -1. Then the caller's part in a record. */
int nvprofread_open_calls(struct nvprofread *reader, struct strbuf *error);
int nvprofread_take_call(struct nvprofread *reader, unsigned int table, struct strbuf *error);
void nvprofread_set_call(struct nvprofread *reader, struct record *record, int64_t correlation);

/* nvprofread_counter.c: each 0, or -1 with one sentence; the values of a record. */
int nvprofread_begin_counters(struct nvprofread *reader, struct strbuf *error);
int nvprofread_counters(struct nvprofread *reader, struct counted_record *counted,
			struct strbuf *error);

/* nvprofread_row.c: the same of records; what a row says becomes reader->counted: 1, 0 where it is
 * no record, or -1. */
int nvprofread_open_records(struct nvprofread *reader, struct strbuf *error);
int nvprofread_take_record(struct nvprofread *reader, unsigned int table, struct strbuf *error);

/* nvprofread_event.c: the next event that is no call: 1, 0 behind the last one, or -1. */
int nvprofread_next_event(struct nvprofread *reader, const struct frame **frame,
			  struct strbuf *error);

/* nvprofread_next.c: as stream_next and stream_next_frame. */
int nvprofread_next(void *reader, const struct record **record, struct strbuf *error);
int nvprofread_next_frame(void *reader, const struct frame **frame, struct strbuf *error);

/* A number of 32 bits; 0 for one that is none. */
static inline uint32_t nvprofread_number(sqlite3_stmt *statement, int column)
{
	int64_t value = sqlite3_column_int64(statement, column);

	return value < 0 || value > UINT32_MAX ? 0 : (uint32_t)value;
}

#endif
