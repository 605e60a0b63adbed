/* SPDX-License-Identifier: MIT */
/* Sets of counters: in the catalog, as frames, in logs of both formats and in traces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/frames.h"
#include "output/output.h"
#include "output/trace.h"
#include "output/tracereader.h"

static const struct counter_column columns_of_set[] = {
	{"gld_request", false},
	{"ipc", true},
	{"sm__cycles_active.sum", false},
};

static const struct counter_set set = {
	.count = 3, .columns = columns_of_set, .refused = "prof_trigger_00\ngld_32b\n"};

static struct catalog catalog;

static int set_up(void **state)
{
	(void)state;
	if (catalog_init(&catalog))
		return -1;
	catalog_add_device(&catalog, &(struct device){.api = API_CUDA, .name = "H100"});
	return catalog_add_context(&catalog, &(struct context){.api = API_CUDA});
}

static int tear_down(void **state)
{
	(void)state;
	catalog_free(&catalog);
	return 0;
}

static void check_set(const struct counter_set *found, uint32_t id)
{
	assert_non_null(found);
	assert_int_equal(found->id, id);
	assert_int_equal(found->count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_string_equal(found->columns[i].name, columns_of_set[i].name);
		assert_int_equal(found->columns[i].real, columns_of_set[i].real);
	}
	assert_string_equal(found->refused, set.refused);
	assert_int_equal(found->width, strlen("gld_requestipcsm__cycles_active.sum"));
}

static void test_catalog(void **state)
{
	struct counter_column many[COUNTER_COLUMNS + 1];
	struct counter_set bad = {.count = COUNTER_COLUMNS + 1, .columns = many};

	(void)state;
	assert_null(catalog_counters_of(&catalog, 0));
	assert_int_equal(catalog_add_counters(&catalog, &set), 0);
	check_set(catalog_counters_of(&catalog, 0), 0);
	assert_int_equal(catalog_add_counters(&catalog, &(struct counter_set){0}), 1);
	assert_int_equal(catalog_counters_of(&catalog, 0)->count, 0);
	assert_string_equal(catalog_counters_of(&catalog, 0)->refused, "");
	check_set(catalog_counters(&catalog, 0), 0);
	assert_null(catalog_counters(&catalog, 2));
	assert_null(catalog_counters_of(&catalog, 1));
	assert_int_equal(catalog_add_counters(&catalog, &(struct counter_set){.device = 1}), -1);
	for (int i = 0; i <= COUNTER_COLUMNS; i++)
		many[i] = (struct counter_column){"a", false};
	assert_int_equal(catalog_add_counters(&catalog, &bad), -1);
	bad.count--;
	assert_int_equal(catalog_add_counters(&catalog, &bad), 2);
}

/* Readers of logs split lines at these characters. */
static void test_names(void **state)
{
	static const char *const bad[] = {"",	 "a b", "a,b",	"a=b",	"a]",
					  "[a", "a\n", "\x80", "a\x7f"};
	static const char *const bad_lists[] = {"a", "a\nb", "a\n\n", "a\033[1m\n", "\xff\n"};

	(void)state;
	assert_true(counter_set_name("l2_subp0_read-sector/queries%"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const struct counter_column column = {bad[i], false};

		assert_false(counter_set_name(bad[i]));
		assert_int_equal(catalog_add_counters(&catalog, &(struct counter_set){
									.count = 1,
									.columns = &column}),
				 -1);
	}
	for (size_t i = 0; i < sizeof(bad_lists) / sizeof(*bad_lists); i++)
		assert_int_equal(
			catalog_add_counters(&catalog,
					     &(struct counter_set){.refused = bad_lists[i]}),
			-1);
}

static void test_frames(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct counters_frame *frame;
	struct catalog other;

	(void)state;
	assert_int_equal(catalog_init(&other), 0);
	catalog_add_device(&other, &(struct device){.name = "H100"});
	catalog_add_counters(&catalog, &set);
	frames_put_counters(&bytes, catalog_counters(&catalog, 0));
	frame = (void *)bytes.data;
	assert_true(frames_valid(&other, &frame->frame, bytes.length));
	assert_int_equal(frames_apply(&other, &frame->frame), 0);
	check_set(catalog_counters(&other, 0), 0);
	assert_int_equal(frames_apply(&other, &frame->frame), -1); /* the id is in use */
	frame->id = 1;
	frame->device = 1;
	assert_int_equal(frames_apply(&other, &frame->frame), -1);
	frame->device = 0;
	frame->count = 2;
	assert_int_equal(frames_apply(&other, &frame->frame), -1);
	frame->count = 3;
	frame->refused_length = UINT32_MAX;
	assert_int_equal(frames_apply(&other, &frame->frame), -1);
	frame->refused_length = 0;
	frame->text[0] = 'x';
	assert_int_equal(frames_apply(&other, &frame->frame), -1);
	frame->text[0] = 'n';
	frame->text[1] = '\0';
	assert_int_equal(frames_apply(&other, &frame->frame), -1);
	frame->text[1] = 'G';
	assert_int_equal(frames_apply(&other, &frame->frame), 0);
	assert_string_equal(catalog_counters(&other, 1)->columns[0].name, "Gld_request");
	catalog_free(&other);
	strbuf_free(&bytes);
}

static struct counted_record counted(double first, double second, double third)
{
	struct counted_record made = {
		.record.frame.kind = FRAME_KERNEL,
		.record.name = names_intern(catalog.names, "k", 1),
		.record.bytes = 7,
		.record.known = KNOWN_BYTES,
		.values = {first, second, third},
	};

	counted_record_set(&made, 0, 3);
	return made;
}

static void check_log(enum format format, const char *expected)
{
	struct output_target target = {
		.layout = {.api = API_CUDA, .dialect = DIALECT_CUDA4, .format = format,
			   .columns = column_set(1u << COLUMN_ID_BYTES, API_CUDA, DIALECT_CUDA4)},
		.catalog = &catalog,
		.device = catalog_device(&catalog, 0),
		.context = catalog_context(&catalog, 0),
		.counters = catalog_counters(&catalog, 0),
		.warnings = "NV_Warning: first\n",
	};
	struct counted_record rows[] = {
		counted(0, 1.0 / 3, 4611686018427387904.0),
		counted(NAN, 2.0625, NAN),
		counted(12, NAN, NAN),
		counted(1, 1, 1),
	};
	struct strbuf text = STRBUF_INIT;

	rows[3].counters.set = 1; /* another set */
	output_formats[format]->open(&target, &text);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		output_formats[format]->write(&target, &rows[i].record, &text);
	rows[0].record.frame.size = sizeof(struct record); /* no values */
	rows[0].record.known = 0;
	output_formats[format]->write(&target, &rows[0].record, &text);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

#define WARNINGS                                                                                   \
	"NV_Warning: first\n"                                                                      \
	"NV_Warning: Counter 'prof_trigger_00' is not compatible with other selected counters and" \
	" it cannot be profiled in this run.\n"                                                    \
	"NV_Warning: Counter 'gld_32b' is not compatible with other selected counters and"         \
	" it cannot be profiled in this run.\n"                                                    \
	"# CUDA_PROFILE_LOG_VERSION 2.0\n"                                                         \
	"# CUDA_DEVICE 0 H100\n"                                                                   \
	"# CUDA_CONTEXT 1\n"

#define COLUMNS                                                                                    \
	"# TIMESTAMPFACTOR 0\n"                                                                    \
	"method,gputime,cputime,occupancy,gld_request,ipc,sm__cycles_active.sum,memtransfersize\n"

static void test_logs(void **state)
{
	(void)state;
	catalog_add_counters(&catalog, &set);
	check_log(FORMAT_KEYVAL,
		  WARNINGS COLUMNS
		  "method=[ k ] cputime=[ 0.000 ] gld_request=[ 0 ] ipc=[ 0.333 ] "
		  "sm__cycles_active.sum=[ 4611686018427387904 ] memtransfersize=[ 7 ] \n"
		  "method=[ k ] cputime=[ 0.000 ] ipc=[ 2.062 ] memtransfersize=[ 7 ] \n"
		  "method=[ k ] cputime=[ 0.000 ] gld_request=[ 12 ] memtransfersize=[ 7 ] \n"
		  "method=[ k ] cputime=[ 0.000 ] memtransfersize=[ 7 ] \n"
		  "method=[ k ] cputime=[ 0.000 ] \n");
	check_log(FORMAT_CSV, WARNINGS "# CUDA_PROFILE_CSV 1\n" COLUMNS
				       "k,,0.000,,0,0.333,4611686018427387904,7\n"
				       "k,,0.000,,,2.062,,7\n"
				       "k,,0.000,,12,,,7\n"
				       "k,,0.000,,,,,7\n"
				       "k,,0.000\n");
}

static void test_trace(void **state)
{
	struct counted_record row = counted(1, 2.5, NAN);
	char path[] = "/tmp/test_counterset.XXXXXX";
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	struct trace_reader *reader;
	const struct record *record;
	int file = mkstemp(path);

	(void)state;
	catalog_add_counters(&catalog, &set);
	trace_put_header(&bytes);
	frames_put_name(&bytes, catalog.names, 1);
	frames_put_device(&bytes, catalog_device(&catalog, 0));
	frames_put_context(&bytes, catalog_context(&catalog, 0));
	frames_put_counters(&bytes, catalog_counters(&catalog, 0));
	trace_put_record(&bytes, &row.record);
	row.counters.set = 1; /* this set is not in the trace */
	trace_put_record(&bytes, &row.record);
	assert_int_equal(write(file, bytes.data, bytes.length), bytes.length);
	close(file);
	reader = trace_open(path, &error);
	assert_non_null(reader);
	assert_int_equal(trace_next(reader, &record, &error), 1);
	assert_int_equal(record_value_count(record), 3);
	assert_memory_equal(record_values(record), row.values, 3 * sizeof(double));
	check_set(catalog_counters(trace_catalog(reader), record_counters(record)->set), 0);
	assert_int_equal(trace_next(reader, &record, &error), -1);
	trace_close(reader);
	strbuf_free(&bytes);
	strbuf_free(&error);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_catalog, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_logs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trace, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
