/* SPDX-License-Identifier: MIT */
#include "viewfile.h"

/* Counter values read from databases. */

/* The values follow the record, and their counters are in the catalog. */
static void test_counters(void **state)
{
	struct strbuf error = STRBUF_INIT;
	const struct counter_set *set;
	const struct record *record;
	struct stream *stream;
	int counted = 0;

	(void)state;
	make_trace("run.cptrace");
	assert_int_equal(view_trace("run.cptrace", "run.sqlite", &error), 0);
	stream = open_stream("run.sqlite");
	while (stream_next(stream, &record, &error) > 0) {
		if (!record_counters(record))
			continue;
		counted++;
		set = catalog_counters(stream_catalog(stream), record_counters(record)->set);
		assert_non_null(set);
		assert_int_equal(set->device, record->device);
		assert_int_equal(set->count, 2);
		assert_string_equal(set->columns[0].name, "inst_executed");
		assert_false(set->columns[0].real);
		assert_string_equal(set->columns[1].name, "ratio");
		assert_true(set->columns[1].real);
		assert_int_equal(record_value_count(record), 2);
		assert_true(record_values(record)[0] == 12345);
		assert_true(record_values(record)[1] == 0.25);
	}
	assert_int_equal(counted, 1);
	assert_int_equal(stream_catalog(stream)->counters_count, 1);
	stream_close(stream);
}

/* Finishes the trace, and opens a database that is made from it. */
static struct stream *as_database(struct strbuf *bytes)
{
	struct strbuf error = STRBUF_INIT;

	trace_finish(bytes);
	write_file("run.cptrace", bytes);
	strbuf_free(bytes);
	assert_int_equal(view_trace("run.cptrace", "run.sqlite", &error), 0);
	return open_stream("run.sqlite");
}

/* The names of the two sets are the same, and their types are not. */
static void test_types(void **state)
{
	static const struct counter_column reals[] = {{.name = "inst_executed", .real = true},
						      {.name = "ratio", .real = true}};
	const struct counter_set set = {
		.id = 1, .device = 1, .count = 2, .columns = reals, .refused = ""};
	struct strbuf error = STRBUF_INIT, bytes = STRBUF_INIT;
	const struct record *record;
	struct stream *stream;

	(void)state;
	trace_put_header(&bytes);
	put_catalog(&bytes);
	frames_put_counters(&bytes, &set);
	for (uint32_t i = 0; i < 2; i++) {
		struct counted_record counted = {.record = make_record(3), .values = {7, 0.25}};

		counted.record.frame.correlation += i;
		counted_record_set(&counted, i, 2);
		trace_put_record(&bytes, &counted.record);
	}
	stream = as_database(&bytes);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(stream_next(stream, &record, &error), 1);
		assert_int_equal(record_counters(record)->set, i);
		assert_int_equal(catalog_counters(stream_catalog(stream), i)->columns[0].real, i);
	}
	stream_close(stream);
}

/* A missing value has no row; the others have rows. */
static void test_no_value(void **state)
{
	struct counted_record counted = {.record = make_record(3),
					 .values = {__builtin_nan(""), 0.25}};
	struct strbuf error = STRBUF_INIT, bytes = STRBUF_INIT;
	const struct record *record;
	struct stream *stream;

	(void)state;
	set_counters(&counted);
	trace_put_header(&bytes);
	put_catalog(&bytes);
	trace_put_record(&bytes, &counted.record);
	stream = as_database(&bytes);
	assert_int_equal(stream_next(stream, &record, &error), 1);
	assert_int_equal(record_value_count(record), 1);
	assert_true(record_values(record)[0] == 0.25);
	stream_close(stream);
}

/* Kernels with and without a value in turn: there are only two sets of counters. */
static void test_in_turn(void **state)
{
	enum { KERNELS = CATALOG_COUNTERS + 10 };
	struct counted_record counted = {.record = make_record(3), .values = {0, 0.25}};
	struct strbuf error = STRBUF_INIT, bytes = STRBUF_INIT;
	const struct record *record;
	struct stream *stream;
	int values = 0;

	(void)state;
	set_counters(&counted);
	trace_put_header(&bytes);
	put_catalog(&bytes);
	for (uint32_t i = 0; i < KERNELS; i++) {
		counted.record.frame.correlation = i + 1;
		counted.values[0] = i % 2 ? __builtin_nan("") : 12345;
		trace_put_record(&bytes, &counted.record);
	}
	stream = as_database(&bytes);
	while (stream_next(stream, &record, &error) > 0)
		values += (int)record_value_count(record);
	assert_int_equal(values, KERNELS / 2 * 3);
	assert_int_equal(stream_catalog(stream)->counters_count, 2);
	stream_close(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_counters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_value, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_types, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_turn, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
