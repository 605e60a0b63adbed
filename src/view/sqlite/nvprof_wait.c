/* SPDX-License-Identifier: MIT */
/*
 * A call and the record it made stand in the trace in any order, mostly close together. So the one
 * that comes first waits in a table of memory; when that is full, what is in it goes to a table of
 * SQLite's (a file), where they are matched at the end.
 */
#include "view/sqlite/nvprof.h"

#include <stdlib.h>

#include "view/sqlite/database.h"

enum {
	FULL = NVPROF_WAITS / 2,
	PROBES = 64, /* keys can be chosen such that they are all at one place */
};

static const char table[] = "CREATE TEMP TABLE waits(state INT, key INT, number INT, records INT, "
			    "enter INT, leave INT, thread INT, name INT, cupti INT, result INT, "
			    "kind INT, called INT)";

static const char insert[] = "INSERT INTO temp.waits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/* Each call right before the first record that it made. */
static const char sorted[] = "SELECT * FROM temp.waits ORDER BY key, state DESC";

int nvprof_begin_waits(struct nvprof *nvprof, struct strbuf *error)
{
	if (database_run(nvprof->database, table, error))
		return -1;
	return database_prepare(nvprof->database, insert, &nvprof->note_wait, error);
}

static struct nvprof_wait *place(struct nvprof *nvprof, uint64_t key, unsigned int probe)
{
	uint64_t hash = key * 0x9e3779b97f4a7c15;

	return &nvprof->waits[((hash >> 32) + probe) % NVPROF_WAITS];
}

struct nvprof_wait *nvprof_find(struct nvprof *nvprof, uint64_t key, enum nvprof_state state)
{
	for (unsigned int i = 0; i < PROBES; i++) {
		struct nvprof_wait *wait = place(nvprof, key, i);

		if (wait->state == WAIT_NONE)
			break;
		if (wait->key == key && wait->state == state)
			return wait;
	}
	return NULL;
}

static int note(struct nvprof *nvprof, const struct nvprof_wait *wait, struct strbuf *error)
{
	const int64_t values[] = {
		wait->state,	      (int64_t)wait->key,   wait->number, wait->records,
		(int64_t)wait->enter, (int64_t)wait->leave, wait->thread, wait->name,
		wait->cupti,	      wait->result,	    wait->kind,	  wait->called,
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		sqlite3_bind_int64(nvprof->note_wait, (int)i + 1, values[i]);
	sqlite3_step(nvprof->note_wait);
	if (sqlite3_reset(nvprof->note_wait) == SQLITE_OK)
		return 0;
	return database_refused(nvprof->database, error);
}

static int by_number(const void *one, const void *other)
{
	const struct nvprof_wait *a = one, *b = other;

	return (a->number > b->number) - (a->number < b->number);
}

/* Nothing waits in memory any more. Where there are no calls, records have rows in their order. */
static int clear(struct nvprof *nvprof, struct strbuf *error)
{
	if (!nvprof->has_calls)
		qsort(nvprof->waits, NVPROF_WAITS, sizeof(nvprof->waits[0]), by_number);
	for (uint32_t i = 0; i < NVPROF_WAITS; i++) {
		const struct nvprof_wait *wait = &nvprof->waits[i];

		if (wait->state == WAIT_NONE || wait->state == WAIT_OVER)
			continue;
		if (nvprof->has_calls ? note(nvprof, wait, error)
				      : wait->called && nvprof_put_row(nvprof, wait, error))
			return -1;
	}
	nvprof->waiting = 0;
	memset(nvprof->waits, 0, sizeof(nvprof->waits));
	return 0;
}

int nvprof_wait(struct nvprof *nvprof, const struct nvprof_wait *wait, struct strbuf *error)
{
	struct nvprof_wait *free_place = NULL;

	if (wait->records > 1)
		return note(nvprof, wait, error);
	for (unsigned int i = 0; i < PROBES && !free_place && nvprof->waiting < FULL; i++)
		if (place(nvprof, wait->key, i)->state == WAIT_NONE)
			free_place = place(nvprof, wait->key, i);
	if (!free_place) {
		if (clear(nvprof, error))
			return -1;
		nvprof->without_calls = !nvprof->has_calls;
		free_place = place(nvprof, wait->key, 0);
	}
	if (nvprof->without_calls)
		return wait->called ? nvprof_put_row(nvprof, wait, error) : 0;
	*free_place = *wait;
	nvprof->waiting++;
	return 0;
}

static struct nvprof_wait wait_of(sqlite3_stmt *row)
{
	return (struct nvprof_wait){
		.state = (uint8_t)sqlite3_column_int(row, 0),
		.key = (uint64_t)sqlite3_column_int64(row, 1),
		.number = sqlite3_column_int64(row, 2),
		.records = (uint32_t)sqlite3_column_int64(row, 3),
		.enter = (uint64_t)sqlite3_column_int64(row, 4),
		.leave = (uint64_t)sqlite3_column_int64(row, 5),
		.thread = (uint32_t)sqlite3_column_int64(row, 6),
		.name = (uint32_t)sqlite3_column_int64(row, 7),
		.cupti = (uint32_t)sqlite3_column_int64(row, 8),
		.result = sqlite3_column_int(row, 9),
		.kind = (uint8_t)sqlite3_column_int(row, 10),
		.called = sqlite3_column_int(row, 11),
	};
}

/* The call has no record: a number of its own. */
static int put_alone(struct nvprof *nvprof, struct nvprof_wait *call, struct strbuf *error)
{
	if (call->state != WAIT_CALL)
		return 0;
	call->state = WAIT_OVER;
	call->number = nvprof_other_number(nvprof);
	return nvprof_put_row(nvprof, call, error);
}

/* The next one in their order; `call` is the last one before it that is a call. */
static int put_sorted(struct nvprof *nvprof, struct nvprof_wait *call,
		      const struct nvprof_wait *next, struct strbuf *error)
{
	uint64_t ordinal = next->key - call->key;

	if (next->state == WAIT_CALL) {
		if (put_alone(nvprof, call, error))
			return -1;
		*call = *next;
		return 0;
	}
	if (!ordinal && call->state == WAIT_CALL) {
		call->state = WAIT_OVER;
		return nvprof_put_pair(nvprof, call, next, error);
	}
	if ((ordinal && ordinal < call->records) || !next->called)
		return 0;
	return nvprof_put_row(nvprof, next, error);
}

static int match(struct nvprof *nvprof, struct strbuf *error)
{
	struct nvprof_wait call = {0};
	sqlite3_stmt *rows = NULL;
	int result = database_prepare(nvprof->database, sorted, &rows, error);
	int step = SQLITE_DONE;

	while (!result && (step = sqlite3_step(rows)) == SQLITE_ROW) {
		struct nvprof_wait next = wait_of(rows);

		result = put_sorted(nvprof, &call, &next, error);
	}
	if (!result && step != SQLITE_DONE)
		result = database_refused(nvprof->database, error);
	if (!result)
		result = put_alone(nvprof, &call, error);
	sqlite3_finalize(rows);
	return result;
}

int nvprof_end_waits(struct nvprof *nvprof, struct strbuf *error)
{
	if (clear(nvprof, error))
		return -1;
	return nvprof->has_calls ? match(nvprof, error) : 0;
}
