/* SPDX-License-Identifier: MIT */
#include "view/nvprof.h"

#include <stdlib.h>

#include "model/method.h"
#include "output/escape.h"
#include "view/database.h"

/* The number of an escaped text, 0 if it has none yet. */
static int64_t find(struct nvprof *nvprof, const char *text, size_t length)
{
	int64_t number = 0;

	sqlite3_bind_text64(nvprof->find, 1, text, length, SQLITE_STATIC, SQLITE_UTF8);
	if (sqlite3_step(nvprof->find) == SQLITE_ROW)
		number = sqlite3_column_int64(nvprof->find, 0);
	sqlite3_reset(nvprof->find);
	return number;
}

static int64_t intern(struct nvprof *nvprof, const char *text, size_t length, struct strbuf *error)
{
	sqlite3_bind_text64(nvprof->intern, 1, text, length, SQLITE_STATIC, SQLITE_UTF8);
	sqlite3_step(nvprof->intern);
	if (sqlite3_reset(nvprof->intern) != SQLITE_OK)
		return database_refused(nvprof->database, error);
	return sqlite3_last_insert_rowid(nvprof->database);
}

int64_t nvprof_string(struct nvprof *nvprof, const char *text, size_t length, struct strbuf *error)
{
	char *escaped = malloc(ESCAPE_SIZE(length) + 1);
	int64_t number;
	size_t size;

	if (!escaped) {
		strbuf_string(error, "no memory");
		return -1;
	}
	size = (size_t)(escape_name(escaped, text, length, ESCAPE_TEXT) - escaped);
	number = find(nvprof, escaped, size);
	if (!number)
		number = intern(nvprof, escaped, size, error);
	free(escaped);
	return number;
}

int64_t nvprof_name(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	uint32_t slot = record->name % NVPROF_NAMES;
	const char *text;
	size_t length;

	if (record->frame.kind != FRAME_KERNEL)
		return 0;
	if (nvprof->names[slot].string && nvprof->names[slot].id == record->name)
		return nvprof->names[slot].string;
	text = method_text(record, DIALECT_CLASSIC, nvprof->catalog->names, &length);
	nvprof->names[slot].id = record->name;
	nvprof->names[slot].string = nvprof_string(nvprof, text, length, error);
	return nvprof->names[slot].string;
}

int nvprof_note_stream(struct nvprof *nvprof, struct strbuf *error)
{
	int64_t context = nvprof->values[VALUE_CONTEXT], stream = nvprof->values[VALUE_STREAM];
	uint64_t slot = ((uint64_t)context * 31 + (uint64_t)stream) % NVPROF_STREAMS;

	if (nvprof->streams[slot].known && nvprof->streams[slot].context == context &&
	    nvprof->streams[slot].stream == stream)
		return 0;
	nvprof->streams[slot].known = true;
	nvprof->streams[slot].context = context;
	nvprof->streams[slot].stream = stream;
	sqlite3_bind_int64(nvprof->note_stream, 1, context);
	sqlite3_bind_int64(nvprof->note_stream, 2, stream);
	sqlite3_step(nvprof->note_stream);
	if (sqlite3_reset(nvprof->note_stream) == SQLITE_OK)
		return 0;
	return database_refused(nvprof->database, error);
}
