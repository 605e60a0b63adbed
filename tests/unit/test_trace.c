/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/frames.h"
#include "output/output.h"
#include "output/trace.h"
#include "output/tracereader.h"

enum { RECORDS = 3 };

static struct strbuf whole; /* a good trace */
static char path[] = "/tmp/computeprof-trace-XXXXXX";

static struct record make_record(uint32_t i)
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

static int set_up(void **state)
{
	struct names *names = names_new();
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	names_intern(names, "kernel", 6);
	trace_put_header(&whole);
	frames_put_process(&whole, &(struct process){.pid = 5, .started = 6});
	frames_put_name(&whole, names, 1);
	frames_put_device(&whole, &(struct device){.name = "kernel"});
	frames_put_context(&whole, &(struct context){.index = 2});
	for (uint32_t i = 0; i < RECORDS; i++) {
		struct record record = make_record(i);

		trace_put_record(&whole, &record);
	}
	frames_put_lost(&whole, 4);
	names_free(names);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	strbuf_free(&whole);
	return unlink(path);
}

static void write_file(const char *bytes, size_t size)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
}

struct result {
	int opened;
	int end; /* what the last trace_next said */
	uint64_t records;
	uint64_t cut_off;
	uint64_t lost;
};

/* Reads the file to its end, and lets both formats write each record. */
static struct result read_all(void)
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
	result.lost = trace_lost(reader);
	trace_close(reader);
	strbuf_free(&error);
	strbuf_free(&text);
	return result;
}

static void test_round_trip(void **state)
{
	struct strbuf error = STRBUF_INIT;
	const struct record *record;
	struct trace_reader *reader;

	(void)state;
	write_file(whole.data, whole.length);
	reader = trace_open(path, &error);
	assert_non_null(reader);
	for (uint32_t i = 0; i < RECORDS; i++) {
		struct record wanted = make_record(i);

		wanted.handle = 0;
		assert_int_equal(trace_next(reader, &record, &error), 1);
		assert_memory_equal(record, &wanted, sizeof(wanted));
	}
	assert_int_equal(trace_next(reader, &record, &error), 0);
	assert_int_equal(trace_next(reader, &record, &error), 0);
	assert_int_equal(trace_lost(reader), 4);
	assert_int_equal(trace_cut_off(reader), 0);
	assert_int_equal(trace_catalog(reader)->process.pid, 5);
	assert_string_equal(names_text(trace_catalog(reader)->names, 1, NULL), "kernel");
	trace_close(reader);
	trace_close(NULL);
}

/* Each part of a good trace is a good trace with an end that was cut off. */
static void test_cut_at_every_byte(void **state)
{
	uint64_t last = 0;

	(void)state;
	for (size_t size = 0; size <= whole.length; size++) {
		struct result result;

		write_file(whole.data, size);
		result = read_all();
		assert_int_equal(result.opened, size >= sizeof(struct trace_header));
		assert_int_equal(result.end, 0);
		assert_true(result.records >= last);
		assert_true(result.cut_off < sizeof(struct record));
		last = result.records;
	}
	assert_int_equal(last, RECORDS);
}

static void test_every_byte_changed(void **state)
{
	static const unsigned char changes[] = {0x01, 0x80, 0xff};
	unsigned int refused = 0;

	(void)state;
	for (size_t at = 0; at < whole.length; at++) {
		for (size_t i = 0; i < sizeof(changes); i++) {
			struct result result;

			whole.data[at] = (char)((unsigned char)whole.data[at] ^ changes[i]);
			write_file(whole.data, whole.length);
			whole.data[at] = (char)((unsigned char)whole.data[at] ^ changes[i]);
			result = read_all();
			assert_true(result.records <= RECORDS);
			refused += !result.opened;
			if (at < sizeof(struct trace_header))
				assert_false(result.opened);
		}
	}
	assert_int_equal(refused, sizeof(struct trace_header) * sizeof(changes));
}

static void test_noise(void **state)
{
	char bytes[4096];

	(void)state;
	srandom(7);
	for (int round = 0; round < 2000; round++) {
		size_t size = (size_t)random() % sizeof(bytes);

		memcpy(bytes, whole.data, sizeof(struct trace_header));
		for (size_t i = sizeof(struct trace_header); i < size; i++)
			bytes[i] = (char)random();
		/* A likely frame, so that the noise is looked at. */
		if (round % 4)
			memcpy(bytes + 24,
			       &(struct frame){.size = (uint32_t)(random() % 64 * 8),
					       .kind = (uint16_t)(random() % FRAME_KINDS)},
			       8);
		write_file(bytes, size);
		read_all();
	}
}

static void test_odd_files(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	assert_null(trace_open("/nowhere/trace", &error));
	assert_null(trace_open("/tmp", &error));
	assert_null(trace_open("/dev/null", &error));
	unlink(path);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_null(trace_open(path, &error));
	unlink(path);
	write_file("text\n", 5);
	error.length = 0;
	assert_null(trace_open(path, &error));
	assert_non_null(strstr(strbuf_text(&error), "is not a trace"));
	strbuf_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_every_byte_changed),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_odd_files),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
