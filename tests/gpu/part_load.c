/* SPDX-License-Identifier: MIT */
/* T18 and T19: very many launches, and many threads and contexts. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "part_cost.h"
#include "part_launch.h"
#include "rows.h"
#include "tap.h"
#include "work.h"

enum { THREADS = 8, CONTEXTS = 4, ROUNDS = 50, BATCH = 1000 };

static int wanted_launches(void)
{
	const char *text = getenv("CONFORMANCE_LAUNCHES");

	return text ? (int)strtol(text, NULL, 10) : 10000;
}

int launch_many(const struct part *part, const char *step)
{
	int left = wanted_launches();
	uint64_t start;

	(void)part;
	(void)step;
	work_begin();
	work_launches("row", 1, 1);
	work_wait();
	start = work_now();
	for (; left > 0; left -= BATCH) {
		work_launches("row", left < BATCH ? left : BATCH, 1);
		work_wait();
	}
	cost_timed(start, (size_t)wanted_launches());
	return 0;
}

/* "computeprof: 12 records were dropped ..." */
static size_t said_lost(const struct run *run)
{
	char path[512], *text, *digits;
	size_t lost = 0;

	snprintf(path, sizeof(path), "%s/err", run->folder);
	text = logtext_load(path);
	digits = text ? strpbrk(text, "0123456789") : NULL;
	if (digits)
		lost = strtoull(digits, NULL, 10);
	free(text);
	return lost;
}

void check_many(const struct run *run)
{
	enum { MOST_GROWTH = 256 * 1024 }; /* KiB */
	size_t launched = (size_t)wanted_launches() + 1, written = rows_count(run);
	size_t lost = said_lost(run);
	long growth = run->profiled.resident - run->native.resident;

	tap_result(written + lost == launched, "%s: %zu launches, %zu rows, %zu said to be lost",
		   run->part->name, launched, written, lost);
	if (!lost)
		rows_check(run);
	tap_result(growth < MOST_GROWTH * (long)(getenv("CONFORMANCE_SLOW") ? 4 : 1),
		   "%s: memory is bounded", run->part->name);
	tap_note("memory: %ld KiB alone, %ld KiB profiled", run->native.resident,
		 run->profiled.resident);
	cost_note(run, "launch");
}

/* Every thread works in every context, in its own stream; the grid's width identifies the
 * thread. */
struct worker {
	unsigned number;
	pthread_t thread;
};

static cuda_context contexts[CONTEXTS];
static struct cuda_module *modules[CONTEXTS];

static unsigned width(unsigned thread, unsigned context)
{
	return thread * CONTEXTS + context + 1;
}

static void *worker_main(void *data)
{
	const struct worker *worker = data;
	cuda_stream streams[CONTEXTS];

	for (unsigned i = 0; i < CONTEXTS; i++) {
		DO(CtxSetCurrent, contexts[i]);
		DO(StreamCreate, &streams[i], CUDA_STREAM_NON_BLOCKING);
	}
	for (unsigned round = 0; round < ROUNDS * CONTEXTS; round++) {
		unsigned at = (round + worker->number) % CONTEXTS;
		struct cuda_function *function;

		DO(CtxSetCurrent, contexts[at]);
		DO(ModuleGetFunction, &function, modules[at], "empty");
		DO(LaunchKernel, function, width(worker->number, at), 1, 1, 32, 1, 1, 0,
		   streams[at], NULL, NULL);
	}
	for (unsigned i = 0; i < CONTEXTS; i++) {
		DO(CtxSetCurrent, contexts[i]);
		DO(StreamSynchronize, streams[i]);
		DO(StreamDestroy, streams[i]);
	}
	return NULL;
}

int launch_threads(const struct part *part, const char *step)
{
	struct worker workers[THREADS];

	(void)part;
	(void)step;
	work_begin();
	for (int i = 0; i < CONTEXTS; i++) {
		DO(CtxCreate, &contexts[i], 0, work_device);
		modules[i] = work_load();
	}
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].number = i;
		if (pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]))
			work_fail("pthread_create", 1);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (int i = 0; i < CONTEXTS; i++)
		DO(CtxDestroy, contexts[i]);
	return 0;
}

struct tally {
	size_t rows;
	size_t strangers;
	size_t moved;
	size_t counts[THREADS * CONTEXTS + 1];
	char streams[THREADS * CONTEXTS + 1][32];
};

static void tally_log(const char *path, void *user)
{
	char grid[LOGTEXT_VALUE], stream[LOGTEXT_VALUE];
	struct tally *tally = user;
	struct logtext log;

	logtext_read(&log, path);
	for (size_t row = 0; row < log.row_count; row++) {
		unsigned long who;

		logtext_value(&log, row, "gridsizeX", grid);
		logtext_value(&log, row, "streamid", stream);
		who = strtoul(grid, NULL, 10);
		tally->rows++;
		if (!who || who > THREADS * CONTEXTS || !*stream) {
			tally->strangers++;
			continue;
		}
		if (tally->counts[who]++ && strcmp(tally->streams[who], stream))
			tally->moved++;
		snprintf(tally->streams[who], sizeof(tally->streams[who]), "%.31s", stream);
	}
	logtext_free(&log);
}

void check_threads(const struct run *run)
{
	const char *name = run->part->name;
	struct tally tally = {0};
	size_t wrong = 0;

	rows_files(run->folder, "log.", tally_log, &tally);
	for (int i = 1; i <= THREADS * CONTEXTS; i++)
		wrong += tally.counts[i] != ROUNDS;
	tap_result(!wrong && !tally.strangers, "%s: %zu rows, %d of each thread in each context",
		   name, tally.rows, ROUNDS);
	tap_result(!tally.moved, "%s: a stream keeps its number", name);
}
