/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_NVPROFREAD_H
#define VIEW_SQLITE_NVPROFREAD_H

#include "model/catalog.h"
#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"
#include "view/stream/streamops.h"

/*
 * A database of nvprof's form that is being read, written by nvprof or by computeprof: private to
 * nvprofread*.c. Columns are found by their names, since versions differ. A missing column is NULL;
 * NULL and values that are not numbers are read as 0. All values are checked before use.
 */
#define NVPROF "CUPTI_ACTIVITY_KIND_" /* the start of the names of nvprof's tables */

enum {
	READ_CALLS = 2, /* tables: RUNTIME and DRIVER */
	READ_RECORDS = 7,
	READ_STRINGS = 1 << 12
};

/* A table, row by row, in the order of its correlationId. */
struct nvprofread_cursor {
	sqlite3_stmt *rows;  /* NULL: the table does not exist or was read to its end */
	int64_t correlation; /* of the current row, in its first column */
};

/* The call that made the records with its correlation. */
struct nvprofread_caller {
	int64_t correlation; /* 0: none */
	uint64_t enter;
	uint64_t leave;
	uint32_t thread;
	bool has_record; /* one was read already */
};

struct nvprofread {
	sqlite3 *database;
	struct database_work work;
	struct catalog catalog;
	uint64_t lost; /* records and events */
	uint64_t lost_events;
	bool lacks_events; /* as stream_lacks_events */
	enum trace_cut cut;
	bool own;   /* written by computeprof: names are escaped */
	bool begun; /* each cursor is at a row */
	struct nvprofread_cursor calls[READ_CALLS];
	struct nvprofread_cursor records[READ_RECORDS];
	struct nvprofread_cursor names;	 /* of calls: CP_API_NAME */
	struct nvprofread_cursor *taken; /* the cursor whose row was returned last, or NULL */
	struct nvprofread_caller caller;
	struct call call;
	unsigned int event_table; /* the table that is read, and its rows; NULL before the first */
	sqlite3_stmt *events;
	bool again; /* the row is two events, and the first was returned */
	uint64_t event_count;
	union event event;
	sqlite3_stmt *string;
	sqlite3_stmt *counters; /* NULL: there are none */
	sqlite3_stmt *known;	/* NULL: there is no CP_KNOWN */
	struct counted_record counted;
	/* Cache of names, indexed by the low bits of the number in StringTable. */
	struct {
		int64_t number;
		uint32_t name;
	} strings[READ_STRINGS];
	/* The numbers in the file, by ids of the catalog. */
	int64_t devices[CATALOG_DEVICES];
	int64_t contexts[CATALOG_CONTEXTS];
	uint32_t last_device, last_context;
};

/* nvprofread.c: returns a statement that selects these columns (NULL-ended) of the table. Returns
 * NULL if the table does not exist or, with one sentence in `error`, on an error. `where` may be
 * "". */
sqlite3_stmt *nvprofread_select(struct nvprofread *reader, const char *table,
				const char *const *columns, const char *where,
				struct strbuf *error);

/* nvprofread_catalog.c: each returns 0, or -1 with one sentence. The ids are those of the
 * catalog. */
int nvprofread_catalog(struct nvprofread *reader, struct strbuf *error);
int nvprofread_name(struct nvprofread *reader, int64_t number, uint32_t *name,
		    struct strbuf *error);
int nvprofread_device(struct nvprofread *reader, int64_t number, uint32_t *id,
		      struct strbuf *error);
int nvprofread_context(struct nvprofread *reader, int64_t number, uint32_t device, uint32_t *id,
		       struct strbuf *error);

/* nvprofread_catalog.c: return the id of a number in the file, UINT32_MAX if the catalog has no
 * such device or context. */
uint32_t nvprofread_find_device(const struct nvprofread *reader, int64_t number);
uint32_t nvprofread_find_context(const struct nvprofread *reader, int64_t number);

/* Returns true if an index of the table begins with correlationId. */
bool nvprofread_has_index(struct nvprofread *reader, const char *table);

/* nvprofread_cursor.c: opens a cursor, which has no rows if the table does not exist. The first
 * column must be correlationId. Returns 0, or -1 with one sentence. nvprofread_step moves to the
 * next row and returns 1, 0 at the end, or -1. */
int nvprofread_open(struct nvprofread *reader, struct nvprofread_cursor *cursor, const char *table,
		    const char *const *columns, struct strbuf *error);
int nvprofread_step(struct nvprofread *reader, struct nvprofread_cursor *cursor,
		    struct strbuf *error);

/* nvprofread_call.c: opens the cursors of calls; returns 0, or -1 with one sentence.
 * nvprofread_take_call reads the current row of one of them to reader->call and, for its records,
 * to reader->caller; returns 1, 0 if the called function is unknown, or -1. nvprofread_set_call
 * sets the members of a record that come from its call. */
int nvprofread_open_calls(struct nvprofread *reader, struct strbuf *error);
int nvprofread_take_call(struct nvprofread *reader, unsigned int table, struct strbuf *error);
void nvprofread_set_call(struct nvprofread *reader, struct record *record, int64_t correlation);

/* nvprofread_counter.c: reads the values of a record. Each returns 0, or -1 with one sentence. */
int nvprofread_begin_counters(struct nvprofread *reader, struct strbuf *error);
int nvprofread_counters(struct nvprofread *reader, struct counted_record *counted,
			struct strbuf *error);

/* nvprofread_known.c: replaces `known` by the bits of CP_KNOWN, if it has a row for the record.
 * Each returns 0, or -1 with one sentence. */
int nvprofread_begin_known(struct nvprofread *reader, struct strbuf *error);
int nvprofread_known(struct nvprofread *reader, uint64_t correlation, uint32_t *known,
		     struct strbuf *error);

/* nvprofread_row.c: the same for records. nvprofread_take_record reads the current row to
 * reader->counted; returns 1, 0 if it is not a record, or -1. */
int nvprofread_open_records(struct nvprofread *reader, struct strbuf *error);
int nvprofread_take_record(struct nvprofread *reader, unsigned int table, struct strbuf *error);

/* nvprofread_event.c: reads the next event other than a call; returns 1, 0 after the last one, or
 * -1. */
int nvprofread_next_event(struct nvprofread *reader, const struct frame **frame,
			  struct strbuf *error);

/* nvprofread_next.c: as stream_next and stream_next_frame. */
int nvprofread_next(void *reader, const struct record **record, struct strbuf *error);
int nvprofread_next_frame(void *reader, const struct frame **frame, struct strbuf *error);

/* Returns a 32-bit number; 0 if the value is not one. */
static inline uint32_t nvprofread_number(sqlite3_stmt *statement, int column)
{
	int64_t value = sqlite.column_int64(statement, column);

	return value < 0 || value > UINT32_MAX ? 0 : (uint32_t)value;
}

#endif
