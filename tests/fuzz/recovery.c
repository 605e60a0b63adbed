/* SPDX-License-Identifier: MIT */
#include "recovery.h"

#include <string.h>

#include "base/pathlist.h"
#include "fuzz.h"
#include "machine.h"
#include "model/frames.h"
#include "model/totals_row.h"
#include "output/trace.h"
#include "output/tracereader.h"
#include "session/recover.h"
#include "session/totals_reader.h"
#include "texts.h"

#define FOLDER "/rings/"
#define RING   FOLDER "computeprof-1.ring"

static void put_file(const char *path, const struct strbuf *bytes, bool always)
{
	if (always || bytes->length)
		machine_put(path, bytes->data, bytes->length);
}

/* Checks a log made by recovery: whole lines that can be read. Returns its rows. */
static uint64_t check_log(const char *path)
{
	struct logreader reader;
	uint64_t rows = 0;
	size_t size;
	const char *bytes = machine_get(path, &size);

	if (!size)
		return 0;
	CHECK(bytes[size - 1] == '\n' && text_is_plain(bytes, size));
	CHECK(!logreader_open(&reader, bytes, size));
	for (int row; (row = logreader_next(&reader)); rows++)
		CHECK(row == 1);
	logreader_close(&reader);
	return rows;
}

static bool has_path(struct strbuf *lines, const char *path)
{
	struct strbuf line = STRBUF_INIT;
	bool found = false;

	pathlist_put(&line, path);
	for (const char *at = strbuf_text(lines); *at && !found; at = strchr(at, '\n') + 1)
		found = !strncmp(at, strbuf_text(&line), line.length) && at[line.length] == '\n';
	strbuf_free(&line);
	return found;
}

/* In a trace made by recovery each record and call occurs once. */
static void check_once(void)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open("/trace", &error);
	struct {
		uint64_t correlation, enter;
	} seen[64];
	const struct frame *frame;

	for (int count = 0; reader && count < 64; count++) {
		uint64_t enter;

		if (trace_next_frame(reader, &frame, &error) != 1)
			break;
		enter = ((const struct call *)(const void *)frame)->enter;
		for (int i = 0; i < count; i++)
			CHECK(seen[i].correlation != frame->correlation || seen[i].enter != enter);
		seen[count].correlation = frame->correlation;
		seen[count].enter = enter;
	}
	trace_close(reader);
	strbuf_free(&error);
}

/* A trace made or continued by recovery is not much larger than its input. */
static void check_trace(const struct left *left)
{
	size_t size;

	if (!machine_get("/trace", &size))
		return;
	CHECK(size <= left->trace.length + 2 * left->ring.length + RINGFILE_PAGE);
	if (!left->trace.length)
		check_once();
}

/* A trace that recovery has made is whole. */
static void check_end(void)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open("/trace", &error);
	const struct frame *frame;

	CHECK(reader);
	while (trace_next_frame(reader, &frame, &error) == 1)
		;
	CHECK(!error.length && trace_cut(reader) == TRACE_WHOLE);
	trace_close(reader);
}

/* Every file existed before, or is listed as a log, or is the trace. */
static uint64_t check_files(struct recover_report *report)
{
	uint64_t rows = 0;
	const char *path;

	for (int i = 0; (path = machine_path(i)); i++) {
		if (!*path || !strcmp(path, RING) || !strcmp(path, "/log"))
			continue;
		if (has_path(&report->logs, path))
			rows += check_log(path);
	}
	return rows;
}

static uint64_t count_lines(const char *bytes, size_t size)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < size; i++)
		lines += bytes[i] == '\n';
	return lines;
}

/* Checks an existing log: continued at its committed size, or unchanged. */
static uint64_t check_old(const struct strbuf *before)
{
	size_t size, same = 0;
	const char *bytes = machine_get("/log", &size);

	CHECK(bytes || !before->length);
	while (same < size && same < before->length && bytes[same] == before->data[same])
		same++;
	return size > same ? count_lines(bytes + same, size - same) : 0;
}

static void check_report(enum recover_result result, struct recover_report *report,
			 const struct left *left)
{
	uint64_t records = left->ring.length / sizeof(struct record), rows;
	const char *bytes;
	size_t size;

	CHECK(result >= RECOVER_DONE && result <= RECOVER_FAILED);
	CHECK((result == RECOVER_DONE) == !report->reason.length);
	CHECK(result != RECOVER_DONE || report->untimed <= report->rows);
	CHECK(report->untimed <= records && report->rows <= records);
	if (report->copied) {
		check_files(report);
		return;
	}
	if (result == RECOVER_DONE || result == RECOVER_FAILED) {
		check_trace(left);
		/* A process that has finished made its files itself. */
		if (result == RECOVER_DONE && !left->trace.length && !report->finished &&
		    has_path(&report->traces, "/trace"))
			check_end();
		rows = check_files(report) + check_old(&left->log);
		CHECK(rows >= report->rows);
		return;
	}
	/* Nothing was changed. */
	bytes = machine_get(RING, &size);
	CHECK(bytes && size == left->ring.length);
	CHECK(!size || !memcmp(bytes, left->ring.data, size));
	CHECK(!report->rows && !report->logs.length);
}

/* Hashes the names and contents of all files except the ring file, or of those in other places. */
static uint64_t hash_files(bool beside)
{
	const char *path;
	uint64_t hash = 0;

	for (int i = 0; (path = machine_path(i)); i++) {
		size_t size;
		const char *bytes = machine_get(path, &size);

		if (!beside && !strncmp(path, FOLDER, strlen(FOLDER)))
			continue;
		if (*path && strcmp(path, RING))
			hash += frames_hash(path, strlen(path)) * frames_hash(bytes, size);
	}
	return hash;
}

/* A second recovery, after one that was killed just before it removed the ring file, leaves the
 * files unchanged. */
static void recover_again(void)
{
	struct recover_report report = {0};
	uint64_t hash = hash_files(true);

	CHECK(recover_ring(RING, &report) == RECOVER_DONE);
	CHECK(hash_files(true) == hash);
	recover_report_free(&report);
}

/* The totals are a whole trace with valid rows, or nothing. */
static void check_totals(const struct strbuf *totals)
{
	const struct trace_header *header = (const void *)totals->data;
	const struct frame *frame = NULL;
	size_t at = totals->length ? header->header_size : 0;

	for (; at < totals->length; at += frame->size) {
		frame = (const void *)(totals->data + at);
		CHECK(frame->size >= sizeof(*frame) && frame->size <= totals->length - at);
		CHECK(frame->kind != FRAME_TOTALS || frame->size == sizeof(struct totals_row) ||
		      frame->size == sizeof(struct totals_buckets_row));
	}
	CHECK(!frame || frame->kind == FRAME_END);
}

/* As top reads it. */
static void read_live(void)
{
	struct strbuf reason = STRBUF_INIT;
	struct totals_reader *reader = totals_reader_open(RING, &reason);

	CHECK(reader || reason.length);
	for (int i = 0; reader && i < 2; i++) {
		const struct totals_rows *rows = totals_reader_read(reader);

		for (size_t row = 0; rows && row < totals_rows_count(rows); row++)
			CHECK(totals_row_is_valid(totals_reader_catalog(reader),
						  totals_rows_get(rows, row)));
	}
	if (reader)
		totals_reader_close(reader);
	strbuf_free(&reason);
}

struct ringfile_header left_header(void)
{
	struct ringfile_header header = {
		.version = RINGFILE_VERSION,
		.byte_order = 0x01020304,
		.pid = 1,
		.record_size = sizeof(struct record),
		.lost = 2,
		.lost_logs = 1,
		.file_device = MACHINE_DEVICE,
		.file_inode = 1,
		.boot = MACHINE_BOOT,
		.owner = MACHINE_USER,
	};

	memcpy(header.magic, RINGFILE_MAGIC, sizeof(header.magic));
	return header;
}

void recovery_check(const struct left *left)
{
	struct recover_request request = {.path = RING, .named = true};
	struct recover_report report = {0};
	enum recover_result result;
	uint64_t before;

	if (left->ring.length > MACHINE_ROOM / 2 || left->trace.length > MACHINE_ROOM / 2)
		return;
	put_file(RING, &left->ring, true);
	put_file("/log", &left->log, false);
	put_file("/trace", &left->trace, false);
	machine_keep_files(true);
	before = hash_files(false);
	read_live();
	result = recover_request(&request, &report);
	check_report(result, &report, left);
	check_totals(&report.totals);
	if (report.copied)
		CHECK(hash_files(false) == before);
	else if (result == RECOVER_DONE && !left->full)
		recover_again();
	recover_report_free(&report);
}

void left_free(struct left *left)
{
	strbuf_free(&left->ring);
	strbuf_free(&left->log);
	strbuf_free(&left->trace);
}
