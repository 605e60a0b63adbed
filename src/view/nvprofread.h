/* SPDX-License-Identifier: MIT */
#ifndef VIEW_NVPROFREAD_H
#define VIEW_NVPROFREAD_H

#include <sqlite3.h>

#include "model/catalog.h"
#include "view/streamops.h"

/*
 * nvprof's database, being read, whether we wrote it or nvprof did: private to nvprofread*.c.
 * Columns are found by their names, as its versions differ; those that are not there are NULL, and
 * NULL or what is no number is 0. Nothing that the file claims is believed without a check.
 */
enum { READ_CALLS = 2 /* RUNTIME and DRIVER */, READ_STRINGS = 1 << 12 };

struct nvprofread {
	sqlite3 *database;
	struct catalog catalog;
	uint64_t lost;
	bool cut_off;
	bool own;	    /* we wrote it: names are escaped */
	unsigned int table; /* that is being read, or would be next */
	sqlite3_stmt *rows; /* of it, or NULL */
	sqlite3_stmt *calls[READ_CALLS];
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

/* nvprofread.c: whether there is such a table, and such a column in it. */
bool nvprofread_has(struct nvprofread *reader, const char *table, const char *column);

/* A statement that selects these columns (NULL-ended) of the table; NULL where there is no such
 * table or, with one sentence in `error`, where that cannot be. `where` may be "". */
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

/* nvprofread_call.c: 0, or -1 with one sentence; and the call of a record: its times and thread.
 * False where there is none. */
int nvprofread_begin(struct nvprofread *reader, struct strbuf *error);
bool nvprofread_call(struct nvprofread *reader, struct record *record, int64_t correlation);

/* Whether an index of the table begins with correlationId. */
bool nvprofread_has_index(struct nvprofread *reader, const char *table);

/* nvprofread_counter.c: each 0, or -1 with one sentence; the values of a record. */
int nvprofread_begin_counters(struct nvprofread *reader, struct strbuf *error);
int nvprofread_counters(struct nvprofread *reader, struct counted_record *counted,
			struct strbuf *error);

/* nvprofread_row.c: as stream_next. */
int nvprofread_next(void *reader, const struct record **record, struct strbuf *error);

/* A number of 32 bits; 0 for one that is none. */
static inline uint32_t nvprofread_number(sqlite3_stmt *statement, int column)
{
	int64_t value = sqlite3_column_int64(statement, column);

	return value < 0 || value > UINT32_MAX ? 0 : (uint32_t)value;
}

#endif
