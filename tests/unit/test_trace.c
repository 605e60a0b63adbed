/* SPDX-License-Identifier: MIT */
#include "tracefile.h"

#include <fcntl.h>
#include <sys/file.h>

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
	assert_int_equal(trace_cut(reader), TRACE_WHOLE);
	assert_int_equal(trace_catalog(reader)->process.pid, 5);
	assert_string_equal(names_text(trace_catalog(reader)->names, 1, NULL), "kernel");
	trace_close(reader);
	trace_close(NULL);
}

/* Returns true if a frame ends at this offset of the whole trace. */
static bool is_boundary(size_t offset)
{
	size_t at = header_size;

	while (at < offset)
		at += ((const struct frame *)(const void *)(whole.data + at))->size;
	return at == offset;
}

/* Each prefix of a valid trace is a valid trace that is cut off, also between two frames. */
static void test_cut_at_every_byte(void **state)
{
	uint64_t last = 0;

	(void)state;
	for (size_t size = 0; size <= whole.length; size++) {
		struct result result;

		write_file(whole.data, size);
		result = read_all();
		assert_int_equal(result.opened, size >= header_size);
		assert_int_equal(result.end, 0);
		assert_true(result.records >= last);
		assert_true(result.cut_off < sizeof(struct record));
		if (result.opened && size < whole.length)
			assert_int_equal(result.cut, is_boundary(size) ? TRACE_CUT_AT_FRAME
								       : TRACE_CUT_IN_FRAME);
		last = result.records;
	}
	assert_int_equal(last, RECORDS);
	assert_int_equal(read_all().cut, TRACE_WHOLE);
}

/* Writes `whole` without these bytes. */
static void write_without(size_t from, size_t size)
{
	struct strbuf bytes = STRBUF_INIT;

	strbuf_append(&bytes, whole.data, from);
	strbuf_append(&bytes, whole.data + from + size, whole.length - from - size);
	write_file(bytes.data, bytes.length);
	strbuf_free(&bytes);
}

/* A record in the middle is missing, or is there twice. */
static void test_middle(void **state)
{
	size_t record = whole.length - sizeof(struct end_frame) - sizeof(struct lost_frame) -
			sizeof(struct record);
	struct strbuf bytes = STRBUF_INIT;
	struct result result;

	(void)state;
	write_without(record, sizeof(struct record));
	result = read_all();
	assert_int_equal(result.records, RECORDS - 1);
	assert_int_equal(result.cut, TRACE_CUT_IN_THE_MIDDLE);
	strbuf_append(&bytes, whole.data, record);
	strbuf_append(&bytes, whole.data + record - sizeof(struct record),
		      whole.length - record + sizeof(struct record));
	write_file(bytes.data, bytes.length);
	assert_int_equal(read_all().cut, TRACE_CUT_IN_THE_MIDDLE);
	strbuf_free(&bytes);
}

/* The process went on after END, and wrote another one, or none. */
static void test_went_on(void **state)
{
	struct record more = make_record(RECORDS);
	struct strbuf bytes = STRBUF_INIT;
	size_t length;

	(void)state;
	strbuf_append(&bytes, whole.data, whole.length);
	trace_put_record(&bytes, &more);
	length = bytes.length;
	trace_finish(&bytes);
	write_file(bytes.data, bytes.length);
	assert_int_equal(read_all().cut, TRACE_WHOLE);
	write_file(bytes.data, length);
	assert_int_equal(read_all().cut, TRACE_CUT_AT_FRAME);
	strbuf_free(&bytes);
}

/* While another process has the file locked, it is not known where it ends. */
static void test_growing(void **state)
{
	int file = open(path, O_WRONLY);

	(void)state;
	assert_false(flock(file, LOCK_EX));
	for (size_t size = header_size; size <= whole.length; size++) {
		write_file(whole.data, size);
		assert_int_equal(read_all().cut, TRACE_WHOLE);
	}
	close(file);
	write_file(whole.data, whole.length - sizeof(struct end_frame));
	assert_int_equal(read_all().cut, TRACE_CUT_AT_FRAME);
}

/* Of a trace of an earlier version, which has no END in its table, it is not known. */
static void test_without_kind(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct trace_header *header;
	struct trace_kind *kinds;

	(void)state;
	strbuf_append(&bytes, whole.data, whole.length - sizeof(struct end_frame));
	header = (void *)bytes.data;
	kinds = (void *)(header + 1);
	for (uint32_t i = 0; i < header->kind_count; i++)
		if (kinds[i].kind == FRAME_END)
			kinds[i].kind = 4711;
	write_file(bytes.data, bytes.length);
	assert_int_equal(read_all().cut, TRACE_WHOLE);
	write_file(bytes.data, bytes.length - 8);
	assert_int_equal(read_all().cut, TRACE_CUT_IN_FRAME);
	strbuf_free(&bytes);
}

static void test_long(void **state)
{
	enum { MANY = 30000 };
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	const struct record *record;
	struct trace_reader *reader;

	(void)state;
	make_long(&bytes, MANY);
	reader = trace_open(path, &error);
	assert_non_null(reader);
	for (uint32_t i = 0; i < MANY; i++) {
		struct record wanted = make_record(i);

		wanted.handle = 0;
		assert_int_equal(trace_next(reader, &record, &error), 1);
		assert_memory_equal(record, &wanted, sizeof(wanted));
	}
	assert_int_equal(trace_next(reader, &record, &error), 0);
	assert_int_equal(trace_lost(reader), 4);
	trace_close(reader);
	strbuf_free(&bytes);
}

/* The numbers of all LOST frames are added up. */
static void test_losses(void **state)
{
	size_t size = whole.length - sizeof(struct end_frame);
	const struct end_frame *end = (const void *)(whole.data + size);
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	const struct record *record;
	struct trace_reader *reader;

	(void)state;
	strbuf_append(&bytes, whole.data, size);
	frames_put_lost(&bytes, 2, 3, 1);
	frames_put_lost(&bytes, 10, 20, 5);
	frames_put_end(&bytes, end->frames + 2);
	write_file(bytes.data, bytes.length);
	reader = trace_open(path, &error);
	assert_non_null(reader);
	while (trace_next(reader, &record, &error) > 0)
		;
	assert_int_equal(trace_lost(reader), 4 + 5 + 30);
	assert_int_equal(trace_dropped(reader), 4 + 2 + 10);
	assert_int_equal(trace_lost_events(reader), 6);
	assert_int_equal(trace_cut(reader), TRACE_WHOLE);
	trace_close(reader);
	strbuf_free(&bytes);
}

/* A size that no frame has is damage, also beyond the end of the file. */
static void test_damaged_last_frame(void **state)
{
	struct frame frame = {.size = 4099, .kind = FRAME_KERNEL};
	size_t size = whole.length - sizeof(struct end_frame);
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	const struct record *record;
	struct trace_reader *reader;
	int found;

	(void)state;
	strbuf_append(&bytes, whole.data, size);
	strbuf_append(&bytes, (const char *)&frame, sizeof(frame));
	write_file(bytes.data, bytes.length);
	reader = trace_open(path, &error);
	assert_non_null(reader);
	while ((found = trace_next(reader, &record, &error)) > 0)
		;
	assert_int_equal(found, -1);
	assert_non_null(strstr(strbuf_text(&error), "damaged at byte"));
	trace_close(reader);
	strbuf_free(&error);
	strbuf_free(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_middle),
		cmocka_unit_test(test_went_on),
		cmocka_unit_test(test_growing),
		cmocka_unit_test(test_without_kind),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_damaged_last_frame),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
