/* SPDX-License-Identifier: MIT */
/* A SQLite file in the form of NVIDIA's nvprof, for the programs that read nvprof's files. */
#include "view/sqlite/nvprof.h"

#include <stdlib.h>
#include <string.h>

#include "model/frames.h"
#include "model/kept.h"
#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"
#include "view/sqlite/nvprofcopy.h"
#include "view/stream/ordered.h"
#include "view/view.h"

enum { TRANSACTION = 100000 /* rows */ };

static const char begin[] =
	"CREATE TEMP TABLE streams(context INT, stream INT, priority INT, "
	"flag INT, start INT, end INT, thread INT, PRIMARY KEY(context, stream)) WITHOUT ROWID;"
	"PRAGMA temp.journal_mode = OFF;"
	"BEGIN";

static int open_file(struct nvprof *nvprof, const char *path, struct strbuf *error)
{
	struct strbuf sql = STRBUF_INIT;
	int result;

	nvprof->database = database_open(path, NULL, error);
	if (!nvprof->database)
		return -1;
	schema_put_tables(nvprof->form->schema, &sql);
	strbuf_string(&sql, nvprof->form->begin ? nvprof->form->begin : "");
	result = database_own(nvprof->database, error) ||
		 database_run(nvprof->database, begin, error) ||
		 database_run(nvprof->database, strbuf_text(&sql), error) ||
		 nvprof_prepare(nvprof, error) ||
		 database_prepare(nvprof->database, nvprof->form->find, &nvprof->find, error) ||
		 database_prepare(nvprof->database, nvprof->form->intern, &nvprof->intern, error) ||
		 database_prepare(nvprof->database,
				  "INSERT OR IGNORE INTO temp.streams VALUES (?, ?, 0, 0, 0, 0, 0)",
				  &nvprof->note_stream, error) ||
		 nvprof_begin_events(nvprof, error);
	strbuf_free(&sql);
	return result ? -1 : 0;
}

static void end_statements(struct nvprof *nvprof)
{
	for (int i = 0; i < NVPROF_TABLES; i++)
		insert_end(&nvprof->inserts[i]);
	sqlite.finalize(nvprof->find);
	sqlite.finalize(nvprof->intern);
	sqlite.finalize(nvprof->note_stream);
	for (int i = 0; i < FRAME_KINDS; i++) {
		sqlite.finalize(nvprof->note_events[i]);
		nvprof->note_events[i] = NULL;
	}
	nvprof->find = nvprof->intern = nvprof->note_stream = NULL;
}

static int put_frame(struct nvprof *nvprof, const struct frame *frame, struct strbuf *error)
{
	const void *at = frame;

	if (frame->kind == FRAME_CALL)
		return nvprof_put_call(nvprof, at, error);
	if (frames_is_record(frame))
		return nvprof_put_record(nvprof, at, error);
	return nvprof_put_event(nvprof, frame, error);
}

static int put_frames(struct nvprof *nvprof, struct strbuf *error)
{
	uint64_t committed = 0;
	const struct frame *frame;
	int result;

	while ((result = stream_next_frame(nvprof->stream, &frame, error)) > 0) {
		nvprof_begin_process(nvprof);
		if (put_frame(nvprof, frame, error))
			return -1;
		if (nvprof->rows - committed < TRANSACTION)
			continue;
		committed = nvprof->rows;
		if (database_run(nvprof->database, "COMMIT; BEGIN", error))
			return -1;
	}
	return result;
}

static int end_file(struct nvprof *nvprof, struct strbuf *error)
{
	struct strbuf sql = STRBUF_INIT;
	int result;

	end_statements(nvprof);
	schema_put_indexes(nvprof->form->schema, &sql);
	strbuf_string(&sql, "COMMIT");
	result = database_run(nvprof->database, strbuf_text(&sql), error);
	strbuf_free(&sql);
	return result;
}

/* Of an earlier process only the names, the devices and the assigned numbers are kept. */
static void begin_part(struct nvprof *nvprof)
{
	uint32_t highest = nvprof->first_context;

	for (uint32_t i = 0; i < nvprof->context_count; i++)
		if (nvprof->contexts[i] > highest)
			highest = nvprof->contexts[i];
	nvprof->first_context = highest;
	nvprof->catalog = stream_catalog(nvprof->stream);
	nvprof->device_count = nvprof->context_count = 0;
	nvprof->begun = false;
	nvprof->last = 0;
	memset(nvprof->names, 0, sizeof(nvprof->names));
	memset(nvprof->streams, 0, sizeof(nvprof->streams));
}

static int put_parts(struct nvprof *nvprof, struct strbuf *error)
{
	int more;

	do {
		begin_part(nvprof);
		if (nvprof_begin_calls(nvprof, error) || put_frames(nvprof, error) ||
		    nvprof_end_calls(nvprof, error) || nvprof_put_catalog(nvprof, error))
			return -1;
		nvprof->lacks_counters |= stream_lacks_counters(nvprof->stream);
		more = stream_advance(nvprof->stream, error);
	} while (more > 0);
	if (more || database_run(nvprof->database, nvprof->form->end, error))
		return -1;
	return nvprof_put_sensors(nvprof, error);
}

int nvprof_write(const struct nvprof_form *form, const char *path, struct stream *stream,
		 struct strbuf *error)
{
	struct nvprof *nvprof = calloc(1, sizeof(*nvprof));
	int result;

	if (!nvprof) {
		strbuf_string(error, "out of memory");
		return -1;
	}
	nvprof->form = form;
	nvprof->stream = stream;
	result = open_file(nvprof, path, error) || put_parts(nvprof, error) ||
		 end_file(nvprof, error);
	if (!result && nvprof->sizeless)
		stream_leave_out(stream, "unknown sizes of copies and fills (0 in the database)");
	if (!result && nvprof->lacks_counters)
		stream_leave_out(stream, STREAM_COUNTERS);
	end_statements(nvprof);
	if (sqlite.close(nvprof->database) != SQLITE_OK && !result)
		result = database_refused(nvprof->database, error);
	ordered_free(nvprof->calls);
	strbuf_free(&nvprof->given);
	free(nvprof);
	return result ? -1 : 0;
}

static int write_nvprof(const char *path, struct stream *stream, struct strbuf *error)
{
	/* The stream does not have all data of such a database. */
	if (stream_database_path(stream))
		return nvprofcopy(path, stream, error);
	return nvprof_write(&form_nvprof, path, stream, error);
}

const struct view view_sqlite = {
	.extension = ".sqlite",
	.help = "a database in the form of NVIDIA's nvprof",
	.check = libsqlite_open,
	.has = KEPT_MANAGED | KEPT_COUNTERS,
	.write = write_nvprof,
};

const struct view view_nvprof = {
	.extension = ".nvprof",
	.help = "a database in the form of NVIDIA's nvprof",
	.check = libsqlite_open,
	.has = KEPT_MANAGED | KEPT_COUNTERS,
	.write = write_nvprof,
};
