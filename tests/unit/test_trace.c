/* SPDX-License-Identifier: MIT */
#include "tracefile.h"

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

/* Each prefix of a valid trace is a valid trace that is cut off. */
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
		last = result.records;
	}
	assert_int_equal(last, RECORDS);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
