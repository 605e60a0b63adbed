/* SPDX-License-Identifier: MIT */
/*
 * hot COUNT [totals | calls]: the cost of a record in the library, from the program's call to the
 * log, or of a call without a record, without a driver: on one thread and with an idle writer, so
 * that each run under callgrind is equal. hot() has everything that is counted. Prints nanoseconds
 * per record or call for each part. Without COUNT it prints the build properties that the number of
 * instructions depends on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/opencl/callscope.h"
#include "backend/opencl/opencl.h"
#include "base/clock.h"
#include "output/output.h"
#include "session/call_totals.h"
#include "session/locks.h"
#include "session/probe.h"
#include "session/session.h"
#include "session/state.h"
#include "session/thread.h"

#include "built.h"
#include "fake.h"
#include "session/round.h"
#include "session/writer.h"

enum { BATCH = 500, NAMES = 8 };

static uint32_t names[NAMES];

static const struct source source = {.poll = fake_poll, .release = fake_release};

/* The work of a back end's wrapper of an enqueue. */
static __attribute__((noinline)) void hot_launch(long serial)
{
	struct record *record;
	struct probe probe;

	probe_begin(&probe);
	record = probe_record(&probe, FRAME_KERNEL);
	if (record) {
		fake_launch(record, names[serial % NAMES]);
		probe_commit();
	}
	probe_end(&probe);
}

/* What callscope.c needs of the back end. */
atomic_bool opencl_records = true;

bool opencl_is_hooked(void)
{
	return false;
}

static const char *const functions[] = {"a", "b", "c", "d", "e", "f", "g", "h",
					"i", "j", "k", "l", "m", "n", "o", "p"};

enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* The wrapper of a call that does nothing: an event in the ring. */
static __attribute__((noinline)) void hot_call_event(long serial)
{
	static _Atomic uint32_t ids[FUNCTIONS];
	struct callscope scope;

	callscope_begin(&scope, NULL);
	callscope_end(&scope, functions[serial % FUNCTIONS], &ids[serial % FUNCTIONS], 0);
}

/* The wrapper of a call that is a command: a record, and an event. */
static __attribute__((noinline)) void hot_command_event(long serial)
{
	static _Atomic uint32_t ids[FUNCTIONS];
	struct callscope scope;

	callscope_begin_command(&scope, NULL);
	hot_launch(serial);
	callscope_end(&scope, functions[serial % FUNCTIONS], &ids[serial % FUNCTIONS], 0);
}

/* A row of the running totals. */
static __attribute__((noinline)) void hot_call_totals(long serial)
{
	static _Atomic uint32_t ids[FUNCTIONS];
	struct callscope scope;

	callscope_begin(&scope, NULL);
	callscope_end(&scope, functions[serial % FUNCTIONS], &ids[serial % FUNCTIONS], 0);
}

static __attribute__((noinline)) void hot_round(void)
{
	drain_enter();
	writer_round(thread_live_session(), false);
	drain_leave();
}

/* A round with events only. */
static __attribute__((noinline)) void hot_call_round(void)
{
	hot_round();
}

/* Writes rows to memory. */
static __attribute__((noinline)) void hot_format(enum format format, uint32_t asked, long count)
{
	struct log_file *log = &thread_live_session()->logs.files[0];
	struct output_target target = log->target;
	struct record record = {.frame.kind = FRAME_KERNEL};
	struct strbuf buffer = STRBUF_INIT;

	fake_launch(&record, names[0]);
	fake_poll(&record);
	record.enter = target.catalog->process.started;
	target.layout.format = format;
	target.layout.columns = column_set(asked, API_OPENCL, DIALECT_CLASSIC);
	for (long i = 0; i < count; i++) {
		record.enter += 2345;
		record.leave = record.enter + 700 + (uint64_t)i % 99;
		record.ended = record.started + 1000 + (uint64_t)i % 9999;
		buffer.length = 0;
		output_formats[format]->write(&target, &record, &buffer);
	}
	strbuf_free(&buffer);
}

static uint64_t launching, writing, formatting, formatting_all;
static uint64_t reading, calling, commanding, totalling, taking;

static __attribute__((noinline)) void read_clock(long count)
{
	for (long i = 0; i < count; i++)
		clock_monotonic();
}

static __attribute__((noinline)) void hot_calls(long count)
{
	uint64_t began, now;

	began = clock_monotonic();
	read_clock(count);
	reading = clock_monotonic() - began;
	for (long i = 0; i < count; i += BATCH) {
		began = clock_monotonic();
		for (long j = 0; j < BATCH; j++)
			hot_call_event(j);
		now = clock_monotonic();
		calling += now - began;
		hot_call_round();
		taking += clock_monotonic() - now;
	}
	for (long i = 0; i < count; i += BATCH) {
		began = clock_monotonic();
		for (long j = 0; j < BATCH; j++)
			hot_command_event(j);
		commanding += clock_monotonic() - began;
		hot_round();
	}
	globals.rules[API_OPENCL].trace = NULL; /* calls in a trace are not in the totals */
	globals.rules[API_OPENCL].totals = true;
	globals.rules[API_OPENCL].api_calls = true;
	call_totals_attach(API_OPENCL);
	began = clock_monotonic();
	for (long i = 0; i < count; i++)
		hot_call_totals(i);
	totalling = clock_monotonic() - began;
}

static __attribute__((noinline)) void hot_records(long count)
{
	uint64_t began = clock_monotonic(), now;

	for (long i = 0; i < count; i++) {
		hot_launch(i);
		if ((i + 1) % BATCH)
			continue;
		now = clock_monotonic();
		launching += now - began;
		hot_round();
		began = clock_monotonic();
		writing += began - now;
	}
	usleep(5000); /* rows wait for a millisecond */
	hot_round();
	now = clock_monotonic();
	hot_format(FORMAT_KEYVAL, 0, count);
	formatting = clock_monotonic() - now;
	now = clock_monotonic();
	hot_format(FORMAT_CSV, ~(1U << COLUMN_ID_CALLER), count);
	formatting_all = clock_monotonic() - now;
}

static __attribute__((noinline)) void hot(long count, bool calls)
{
	if (calls)
		hot_calls(count);
	else
		hot_records(count);
}

static void print(const char *what, uint64_t nanoseconds, long count)
{
	if (nanoseconds)
		printf("%s %.1f\n", what, (double)nanoseconds / (double)count);
}

int main(int argc, char **argv)
{
	static char log[] = "log", trace[] = "trace";
	static struct settings settings = {.enabled = true, .layout.api = API_OPENCL, .log = log};
	long count = argc >= 2 ? atol(argv[1]) : 0;

	if (argc == 1) {
		built_print();
		return EXIT_SUCCESS;
	}
	if (count < BATCH || count % BATCH) {
		fprintf(stderr, "usage: hot COUNT, a multiple of %d\n", BATCH);
		return EXIT_FAILURE;
	}
	settings.layout.columns = column_set(0, API_OPENCL, DIALECT_CLASSIC);
	settings.totals = argc == 3 && !strcmp(argv[2], "totals");
	settings.trace = argc == 3 && !strcmp(argv[2], "calls") ? trace : NULL;
	if (session_attach(API_OPENCL, &settings, &source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		return EXIT_FAILURE;
	for (int i = 0; i < NAMES; i++) {
		char name[] = "kernel_number_0";

		name[sizeof(name) - 2] = (char)('0' + i);
		names[i] = session_name(name, sizeof(name) - 1);
	}
	hot_launch(0);
	writer_park(thread_live_session());
	if (settings.totals && thread_live_session()->ringfile.header->totals_off) {
		fprintf(stderr, "hot: there are no totals: the ring file could not be made\n");
		return EXIT_FAILURE;
	}
	/* Time stamps of 3 seconds and more have as many digits however long this takes. */
	globals.catalog.process.started -= UINT64_C(3000000000);
	hot(count, argc == 3 && !strcmp(argv[2], "calls"));
	session_end();
	print("launch", launching, count);
	print("write", writing, count);
	print("format", formatting, count);
	print("format-all", formatting_all, count);
	print("clock", reading, count);
	print("call-event", calling, count);
	print("call-round", taking, count);
	print("command-event", commanding, count);
	print("call-totals", totalling, count);
	return EXIT_SUCCESS;
}
