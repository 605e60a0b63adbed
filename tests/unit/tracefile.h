/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_TRACEFILE_H
#define TESTS_UNIT_TRACEFILE_H

/* A trace file for tests: it is made, written and read to its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/frames.h"
#include "output/output.h"
#include "output/trace.h"
#include "output/tracereader.h"

enum { RECORDS = 3 };

static struct strbuf whole; /* a good trace */
static size_t header_size;
static char path[] = "/tmp/computeprof-trace-XXXXXX";

static inline struct record make_record(uint32_t i)
{
	return (struct record){
		.frame = {.size = sizeof(struct record),
			  .kind = (uint16_t)(FRAME_KERNEL + i % 3),
			  .correlation = i + 1,
			  .thread = 77},
		.enter = 1000 + i,
		.leave = 2000 + i,
		.handle = 0xdead,
		.bytes = 1ull << 40,
		.name = 1,
		.occupancy = 0.5f,
	};
}

static inline int set_up(void **state)
{
	struct names *names = names_new();
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	names_intern(names, "kernel", 6);
	trace_put_header(&whole);
	header_size = whole.length;
	frames_put_process(&whole, &(struct process){.pid = 5, .started = 6});
	frames_put_name(&whole, names, 1);
	frames_put_device(&whole, &(struct device){.name = "kernel"});
	frames_put_context(&whole, &(struct context){.index = 2});
	for (uint32_t i = 0; i < RECORDS; i++) {
		struct record record = make_record(i);

		trace_put_record(&whole, &record);
	}
	frames_put_lost(&whole, 4, 0, 0);
	trace_finish(&whole);
	names_free(names);
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	strbuf_free(&whole);
	return unlink(path);
}

static inline void write_file(const char *bytes, size_t size)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
}

struct result {
	int opened;
	int end; /* result of the last trace_next */
	uint64_t records;
	uint64_t cut_off;
	enum trace_cut cut;
	uint64_t lost;
};

/* Reads the file to its end, and lets both formats write each record. */
static inline struct result read_all(void)
{
	struct result result = {0};
	struct strbuf error = STRBUF_INIT, text = STRBUF_INIT;
	struct trace_reader *reader = trace_open(path, &error);
	const struct record *record;

	if (!reader) {
		assert_int_not_equal(error.length, 0);
		strbuf_free(&error);
		return result;
	}
	result.opened = 1;
	while ((result.end = trace_next(reader, &record, &error)) == 1) {
		struct output_target target = {
			.layout = {.columns = (1u << COLUMN_COUNT) - 1},
			.catalog = trace_catalog(reader),
			.device = catalog_device(trace_catalog(reader), record->device),
			.context = catalog_context(trace_catalog(reader), record->context),
			.warnings = "",
		};

		target.layout.columns = column_set(target.layout.columns, API_OPENCL, 0);
		assert_non_null(target.device);
		assert_non_null(target.context);
		assert_int_equal(record->handle, 0);
		for (int format = 0; format < FORMAT_COUNT; format++)
			output_formats[format]->write(&target, record, &text);
		text.length = 0;
		assert_true(++result.records < 1000);
	}
	assert_true((result.end < 0) == (error.length > 0));
	result.cut_off = trace_cut_off(reader);
	result.cut = trace_cut(reader);
	result.lost = trace_lost(reader);
	trace_close(reader);
	strbuf_free(&error);
	strbuf_free(&text);
	return result;
}

/* Makes a trace that is longer than the reader's portions. */
static inline void make_long(struct strbuf *bytes, uint32_t records)
{
	strbuf_append(bytes, whole.data, whole.length - sizeof(struct end_frame));
	for (uint32_t i = RECORDS; i < records; i++) {
		struct record record = make_record(i);

		trace_put_record(bytes, &record);
	}
	trace_finish(bytes);
	assert_false(bytes->failed);
	write_file(bytes->data, bytes->length);
}

#endif
