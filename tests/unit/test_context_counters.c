/* SPDX-License-Identifier: MIT */
/* Counters in a session: from a back end that hands records on, to the log, the trace and, after a
 * kill, recovery. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

#include <cmocka.h>

#include "model/event.h"
#include "profiled_program.h"

enum { RECORDS = 1000, LAST = 100 };

static _Atomic uint64_t wanted; /* number of records that the back end must deliver */
static _Atomic uint64_t handed;
static uint32_t value_count;
static uint64_t enter_of_first;
static bool with_events;

/* Events between records make no gap in the correlations. */
static void hand_on_event(uint64_t serial)
{
	struct overhead event = {
		.frame.kind = FRAME_OVERHEAD,
		.api = API_CUDA,
		.enter = enter_of_first + serial,
		.leave = enter_of_first + serial,
	};

	session_take_event(&event.frame);
	if (!(event.frame.correlation & EVENT_NUMBERS))
		_exit(102);
}

/* Record N has N * 10 + I in its column I. */
static void hand_on(uint64_t serial)
{
	uint64_t newest = session_last_correlation();
	double values[COUNTER_COLUMNS];
	struct record record = {
		.frame.kind = FRAME_COPY,
		.enter = enter_of_first + serial,
		.leave = enter_of_first + serial,
		.bytes = serial,
		.started = 1700000000000000000u,
		.ended = 1700000000000000000u + (serial % 1000 + 1) * 1000,
		.known = KNOWN_BYTES | KNOWN_STREAM | KNOWN_TIMES,
	};

	for (uint32_t i = 0; i < value_count; i++)
		values[i] = (double)(serial * 10 + i);
	if (with_events && serial % 7 == 0)
		hand_on_event(serial);
	session_take(&record, values, value_count);
	if (record.frame.correlation != newest + 1 || session_last_correlation() != newest + 1)
		_exit(103);
}

static uint64_t collect(enum collecting how)
{
	uint64_t count = 0;

	(void)how;
	for (; handed < wanted; count++)
		hand_on(handed++);
	return count;
}

static void fetch(void)
{
}

/* The last records always wait for possible earlier ones. */
static uint64_t horizon(void)
{
	return handed >= LAST ? enter_of_first + handed - LAST : 0;
}

static bool waiting(void)
{
	return false;
}

static void announce(uint32_t count)
{
	static char names[COUNTER_COLUMNS][16];
	struct counter_column list[COUNTER_COLUMNS];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "c%u", i);
		list[i] = (struct counter_column){names[i], false};
	}
	session_counters(&(struct counter_set){
		.count = count, .columns = list, .refused = "gone\n"});
	value_count = count;
}

static const struct settings *other; /* in force after the first records */

static void more_are_counted(const struct settings *settings)
{
	if (settings != other)
		_exit(101);
	announce(COUNTER_COLUMNS);
}

static const struct source counting = {
	.fetch = fetch,
	.collect = collect,
	.horizon = horizon,
	.waiting = waiting,
	.changed = more_are_counted,
};

static void begin(const char *log, const char *trace)
{
	struct settings *settings = new_settings(API_CUDA, log);

	settings->trace = trace ? strdup(trace) : NULL;
	with_events = trace;
	settings->layout.format = FORMAT_CSV;
	enter_of_first = clock_monotonic();
	if (session_attach(API_CUDA, settings, &counting) ||
	    session_device(&(struct device){.api = API_CUDA, .name = "Fake"}) ||
	    session_context(&(struct context){.api = API_CUDA}))
		_exit(100);
	announce(3);
	session_expect();
}

static void make(uint64_t count)
{
	wanted += count;
	for (int i = 0; i < 1000 && handed < wanted; i++)
		usleep(10000);
}

static void killed(void)
{
	struct stat status;

	begin("log", "trace");
	make(RECORDS);
	/* Some rows are written, the others have to wait. */
	for (int i = 0; i < 1000 && (stat("log", &status) || status.st_size < 1 << 12); i++)
		usleep(10000);
	usleep(50000); /* until the end of the round */
	kill(getpid(), SIGKILL);
}

static void ended(void)
{
	begin("log", "trace");
	make(RECORDS);
	session_stop();
	session_end();
}

static void changed(void)
{
	struct settings *csv;

	begin("log", NULL);
	make(RECORDS);
	csv = new_settings(API_CUDA, "other");
	csv->layout.format = FORMAT_CSV;
	other = csv;
	if (session_change(API_CUDA, other, &counting))
		_exit(102);
	make(RECORDS);
	session_stop();
	session_end();
}

/* Returns the number of rows of a log from serial number `from` on, all with the right values in
 * `width` columns of c0, c1 ... and in no other. */
static uint64_t right_rows(const char *path, uint32_t width, uint64_t from)
{
	struct logreader reader;
	uint64_t rows = 0;
	char name[16];
	size_t size = 0, count;
	char *bytes = read_file(path, &size);

	assert_non_null(bytes);
	assert_int_equal(logreader_open(&reader, bytes, size), 0);
	logreader_warnings(&reader, &count);
	assert_int_equal(count, 1);
	for (; logreader_next(&reader) == 1; rows++) {
		uint64_t serial = from + rows;

		assert_int_equal(number(&reader, "memtransfersize"), serial);
		for (uint32_t i = 0; i <= width; i++) {
			snprintf(name, sizeof(name), "c%u", i);
			assert_int_equal((long)number(&reader, name),
					 i < width ? (long)(serial * 10 + i) : -1);
		}
	}
	assert_null(reader.error);
	logreader_close(&reader);
	free(bytes);
	return rows;
}

static void check_trace(uint64_t count)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open("trace", &error);
	const struct record *record;

	assert_non_null(reader);
	for (uint64_t i = 0; i < count; i++) {
		assert_int_equal(trace_next(reader, &record, &error), 1);
		assert_int_equal(record_value_count(record), 3);
		assert_true(record_values(record)[2] == (double)(record->bytes * 10 + 2));
	}
	assert_int_equal(trace_next(reader, &record, &error), 0);
	trace_close(reader);
	strbuf_free(&error);
}

static void test_ended(void **state)
{
	(void)state;
	assert_int_equal(run(ended), 0);
	assert_int_equal(right_rows("log", 3, 0), RECORDS);
	check_trace(RECORDS);
}

/* Waiting records are in the ring file with their values. */
static void test_killed(void **state)
{
	uint64_t before;

	(void)state;
	assert_int_equal(run(killed), -1);
	before = right_rows("log", 3, 0);
	assert_true(before > 0 && before < RECORDS);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(right_rows("log", 3, 0), RECORDS);
	check_trace(RECORDS);
}

/* Another log, other columns, and larger pending places. */
static void test_changed(void **state)
{
	(void)state;
	assert_int_equal(run(changed), 0);
	assert_int_equal(right_rows("log", 3, 0), RECORDS);
	assert_int_equal(right_rows("other", COUNTER_COLUMNS, RECORDS), RECORDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_changed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
