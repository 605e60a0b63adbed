/* SPDX-License-Identifier: MIT */
/*
 * scale RECORDS THREADS STREAMS NAMES
 * scale --pending COUNT
 * The cost of records among many, without a driver: each thread has a ring and launches as fast as
 * it can while the real writer works. The log is /dev/null, or the file COMPUTEPROF_SCALE_LOG,
 * whose rows are counted. With --pending the device completes no record before all are launched.
 * Prints a number for each key; fails if a row is missing. The start of the session is not
 * measured.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "session/locks.h"
#include "session/probe.h"
#include "session/session.h"
#include "session/state.h"
#include "session/thread.h"

#include "fake.h"
#include "session/round.h"

enum { MAX_THREADS = 1024, MAX_STREAMS = 1 << 16, CONTEXTS = 16, FIRST = 1 /* in the start */ };

static struct shape {
	uint64_t records;
	uint32_t threads, streams, names;
} shape;

static uint32_t *names, contexts;
static _Atomic bool busy;	   /* the device completes nothing */
static _Atomic uint64_t launching; /* CPU ns of all threads */
static pthread_barrier_t ready;

static int poll_busy(struct record *record)
{
	return !atomic_load_explicit(&busy, memory_order_relaxed) && fake_poll(record);
}

static const struct source source = {.poll = poll_busy, .release = fake_release};

/* The work of a back end's wrapper of an enqueue. Successive kernels have distant names. */
static __attribute__((noinline)) void launch(uint64_t serial)
{
	uint32_t stream = (uint32_t)(serial % shape.streams);
	uint64_t name = (uint32_t)serial * UINT32_C(0x9e3779b1);
	struct record *record;
	struct probe probe;

	probe_begin(&probe);
	record = probe_record(&probe, FRAME_KERNEL);
	if (record) {
		fake_launch(record, names[name * shape.names >> 32]);
		record->context = stream % contexts;
		record->stream = stream / contexts;
		probe_commit();
	}
	probe_end(&probe);
}

static void *launch_all(void *argument)
{
	uint64_t thread = (uintptr_t)argument;
	uint64_t from = shape.records * thread / shape.threads;
	uint64_t to = shape.records * (thread + 1) / shape.threads, began;

	pthread_barrier_wait(&ready);
	began = clock_read(CLOCK_THREAD_CPUTIME_ID);
	for (uint64_t serial = from; serial < to; serial++)
		launch(serial);
	atomic_fetch_add(&launching, clock_read(CLOCK_THREAD_CPUTIME_ID) - began);
	return NULL;
}

/* Returns the KiB after `key` in a file of /proc. */
static uint64_t kib(const char *path, const char *key)
{
	FILE *file = fopen(path, "r");
	size_t length = strlen(key);
	uint64_t size = 0;
	char line[128];

	while (file && !size && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, length))
			size = strtoull(line + length, NULL, 10);
	if (file)
		fclose(file);
	return size;
}

/* Returns the resident bytes. */
static int64_t resident(void)
{
	return (int64_t)kib("/proc/self/smaps_rollup", "Rss:") << 10;
}

/* Returns the peak in KiB. getrusage also counts the process before its exec. */
static int64_t largest(void)
{
	return (int64_t)kib("/proc/self/status", "VmHWM:");
}

static void fail(const char *what)
{
	fprintf(stderr, "scale: %s\n", what);
	exit(EXIT_FAILURE);
}

/* Starts the session by a first record; names are added after it, as in a program that makes
 * kernels during the run. */
static void start(const char *log)
{
	static struct settings settings = {.enabled = true, .layout.api = API_OPENCL};
	uint64_t began;

	contexts = shape.streams < CONTEXTS ? shape.streams : CONTEXTS;
	settings.log = strdup(log);
	settings.layout.columns = column_set(0, API_OPENCL, DIALECT_CLASSIC);
	names = calloc(shape.names, sizeof(*names));
	if (!settings.log || !names || session_attach(API_OPENCL, &settings, &source) ||
	    session_device(&(struct device){.name = "Fake"}))
		fail("there is no memory");
	for (uint32_t i = 0; i < contexts; i++)
		session_context(&(struct context){.index = i});
	launch(0);
	began = clock_monotonic();
	for (uint32_t i = 0; i < shape.names; i++) {
		char name[32];
		int length = snprintf(name, sizeof(name), "kernel_number_%06u", i);

		names[i] = session_name(name, (size_t)length);
	}
	printf("name %.1f\n", (double)(clock_monotonic() - began) / shape.names);
}

/* Returns the rows in the file; UINT64_MAX if the log is not a file. */
static uint64_t rows_in(const char *path)
{
	struct stat status;
	FILE *file = stat(path, &status) || !S_ISREG(status.st_mode) ? NULL : fopen(path, "r");
	uint64_t rows = 0;
	char line[512];

	if (!file)
		return UINT64_MAX;
	while (fgets(line, sizeof(line), file))
		rows += !strncmp(line, "timestamp=[ ", 12) && strchr(line, '\n');
	fclose(file);
	return rows;
}

/* Checks that all were written with times. */
static int check(const char *path)
{
	const struct logs *logs = &globals.session->logs;
	uint64_t rows = logs->files[0].rows, counted = rows_in(path);
	uint64_t lost = shape.records + FIRST - (counted < UINT64_MAX ? counted : rows);
	uint64_t untimed = 0;

	for (int kind = 0; kind < UNTIMED_KINDS; kind++)
		untimed += logs->untimed[kind];
	printf("bytes-row %.1f\nuntimed %llu\nlost %llu\n",
	       (double)logs->files[0].size / (double)rows, (unsigned long long)untimed,
	       (unsigned long long)lost);
	return lost || rows != shape.records + FIRST ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int flood(const char *path)
{
	int64_t before = largest();
	pthread_t threads[MAX_THREADS];
	uint64_t wall, cpu, own, writing;
	double records = (double)shape.records;

	start(path);
	if (pthread_barrier_init(&ready, NULL, shape.threads))
		fail("there is no barrier");
	for (uintptr_t i = 1; i < shape.threads; i++)
		if (pthread_create(&threads[i], NULL, launch_all, (void *)i))
			fail("there are no threads");
	wall = clock_monotonic();
	cpu = clock_read(CLOCK_PROCESS_CPUTIME_ID);
	launch_all(NULL);
	own = clock_read(CLOCK_THREAD_CPUTIME_ID);
	for (uint32_t i = 1; i < shape.threads; i++)
		pthread_join(threads[i], NULL);
	session_stop();
	session_end();
	wall = clock_monotonic() - wall;
	cpu = clock_read(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	own = clock_read(CLOCK_THREAD_CPUTIME_ID) - own;
	writing = cpu - atomic_load(&launching) - own; /* the rest is the writer's */
	printf("cpu %.1f\nwall %.1f\nlaunch %.1f\nwriter %.1f\nrows-second %.0f\npeak-kib %lld\n",
	       (double)cpu / records, (double)wall / records, (double)launching / records,
	       (double)writing / records, records * 1e9 / (double)wall,
	       (long long)(largest() - before));
	return check(path);
}

/* Returns how many wait for the device after the rings are empty. */
static uint32_t await_pending(void)
{
	struct session *session = thread_live_session();
	uint32_t pending, before;

	session_write_ended(NULL, NULL);
	do {
		if (!drain_lock())
			fail("the writer does not answer");
		before = session->pending.in_flight;
		writer_round(session, false);
		pending = session->pending.in_flight;
		drain_unlock();
	} while (pending != before);
	return pending;
}

static int pend(const char *path)
{
	uint64_t began, used;
	int64_t before;
	uint32_t pending;

	start(path);
	atomic_store(&busy, true);
	before = resident();
	began = clock_read(CLOCK_PROCESS_CPUTIME_ID);
	for (uint64_t i = 0; i < shape.records; i++)
		launch(i);
	pending = await_pending();
	used = clock_read(CLOCK_PROCESS_CPUTIME_ID) - began;
	printf("cpu %.1f\npending %u\nbytes-pending %.1f\n", (double)used / (double)shape.records,
	       pending, (double)(resident() - before) / pending);
	atomic_store(&busy, false);
	session_stop();
	printf("bytes-retained %lld\n", (long long)(resident() - before));
	session_end();
	return check(path);
}

static uint32_t number(const char *text, uint64_t most)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 10);

	if (*end || !value || value > most)
		fail("usage: scale RECORDS THREADS STREAMS NAMES | scale --pending COUNT");
	return (uint32_t)value;
}

int main(int argc, char **argv)
{
	const char *log = getenv("COMPUTEPROF_SCALE_LOG");
	bool pending = argc == 3 && !strcmp(argv[1], "--pending");

	log = log ? log : "/dev/null";
	if (!pending && argc != 5)
		fail("usage: scale RECORDS THREADS STREAMS NAMES | scale --pending COUNT");
	shape = (struct shape){number(argv[pending ? 2 : 1], UINT32_MAX), 1, 1, 1};
	if (pending)
		return pend(log);
	shape.threads = number(argv[2], MAX_THREADS);
	shape.streams = number(argv[3], MAX_STREAMS);
	shape.names = number(argv[4], 1000000);
	return flood(log);
}
