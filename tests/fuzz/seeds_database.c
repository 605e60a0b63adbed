/* SPDX-License-Identifier: MIT */
/* Databases as left by programs, in the pieces of database.c. */
#include "config.h"
#include "seeds.h"

#if WITH_SQLITE
#include <stdio.h>
#include <string.h>

#include "view/sqlite/schema.h"

static void put_sql(struct strbuf *to, const char *sql)
{
	strbuf_char(to, 'Q');
	strbuf_char(to, (char)strlen(sql));
	strbuf_string(to, sql);
}

static uint8_t index_of(const char *table)
{
	return (uint8_t)(schema_find(nvprof_tables, table) - nvprof_tables);
}

/* A row with these columns, each a small number. */
static void put_row(struct strbuf *to, const char *table, const char *cells)
{
	size_t length = strlen(cells);

	strbuf_char(to, 'I');
	strbuf_char(to, (char)(1 + length / 2 * 3));
	strbuf_char(to, (char)index_of(table));
	for (size_t i = 0; i + 1 < length; i += 2) {
		strbuf_char(to, (char)(cells[i] - 'a'));
		strbuf_char(to, 1);
		strbuf_char(to, (char)(cells[i + 1] - '0'));
	}
}

/* Cells are letters from a, by the columns of the schema, and digits; _id_ is a. */
static void put_rows(struct strbuf *to)
{
	put_sql(to, "INSERT INTO StringTable VALUES (1, '_Z1kv'), (2, 'Tesla'), (3, 'a\\x41')");
	put_row(to, "CUPTI_ACTIVITY_KIND_DEVICE", "{0~2");
	put_row(to, "CUPTI_ACTIVITY_KIND_CONTEXT", "b1c0d1");
	put_row(to, "CUPTI_ACTIVITY_KIND_RUNTIME", "b3c2d4e9f7g5");
	put_row(to, "CUPTI_ACTIVITY_KIND_DRIVER", "b1c6d7e9f7g6");
	put_row(to, "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "d2g5h7i7k1m1n1o1p8q1r1w5y1");
	put_row(to, "CUPTI_ACTIVITY_KIND_MEMCPY", "b1c1d3e1f9g7h8j1l6");
	put_row(to, "CUPTI_ACTIVITY_KIND_MEMSET", "b1c9d8e9g1i7");
	put_row(to, "CUPTI_ACTIVITY_KIND_MARKER", "b2c2d1e2g1");
	put_row(to, "CUPTI_ACTIVITY_KIND_MARKER", "b4c5d1e2");
	put_row(to, "CUPTI_ACTIVITY_KIND_MEMORY", "b3c9d4e3f8k1");
	put_row(to, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "b1c3d4");
	put_row(to, "CUPTI_ACTIVITY_KIND_STREAM", "b1c2d1e1");
	put_row(to, "CUPTI_ACTIVITY_KIND_OVERHEAD", "b1c1e3f4");
}

void seed_databases(const struct taker *taker)
{
	static const char *const endings[][2] = {
		{"theirs", NULL},
		{"ours", "CREATE TABLE CP_PROCESS(processId, start, end, lost, cutOff, lostEvents);"
			 "INSERT INTO CP_PROCESS VALUES (9, 1, 9, 1, 0, 0);"
			 "CREATE TABLE CP_API_NAME(correlationId, name);"
			 "INSERT INTO CP_API_NAME VALUES (5, 3)"},
		{"keyless", "CREATE TABLE s AS SELECT * FROM StringTable; DROP TABLE StringTable;"
			    "ALTER TABLE s RENAME TO StringTable"},
		{"view", "CREATE VIEW notes AS SELECT 1; CREATE TABLE more AS SELECT 1"},
	};

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		for (int copied = 0; copied < 2 - (int)(i & 1); copied++) {
			struct strbuf input = STRBUF_INIT;
			char name[32];

			put_rows(&input);
			if (endings[i][1])
				put_sql(&input, endings[i][1]);
			if (copied)
				strbuf_append(&input, "C\0A\0", i ? 2 : 4);
			snprintf(name, sizeof(name), "%s%s", endings[i][0],
				 copied ? "-copied" : "");
			taker->take(taker->argument, name, input.data, input.length);
			strbuf_free(&input);
		}
}
#else
void seed_databases(const struct taker *taker)
{
	(void)taker;
}
#endif
