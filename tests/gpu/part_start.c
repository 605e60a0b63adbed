/* SPDX-License-Identifier: MIT */
#include "part_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuptilib.h"
#include "rows.h"
#include "tap.h"
#include "work.h"

int start_one(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	expect("note init %ld", syscall(SYS_gettid));
	work_begin();
	work_launch(&(struct launch){.kernel = "empty"});
	work_wait();
	return 0;
}

/* The results of a forked child are not checked, except that it is not injected again. */
static void fork_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		expect("note forked");
		cu.Init(0);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		work_fail("fork", 1);
}

int start_family(const struct part *part, const char *step)
{
	start_one(part, step);
	if (step)
		return 0;
	DO(Init, 0);
	fork_child();
	if (work_again(part->name, "child"))
		work_fail("the child failed", 1);
	return 0;
}

struct witnesses {
	const struct run *run;
	size_t asked;
	size_t wrong;
};

/* Each process that called cuInit must be injected once, on that thread; others not. */
static void check_process(const char *path, void *user)
{
	struct witnesses *witnesses = user;
	const char *process = strrchr(path, '.') + 1;
	char *expected = logtext_load(path), *told, *line, place[512];

	snprintf(place, sizeof(place), "%s/witness.%s", witnesses->run->alone, process);
	told = logtext_load(place);
	line = expected ? strstr(expected, "note init ") : NULL;
	if (line) {
		char *thread = line + strlen("note init ");

		thread[strcspn(thread, "\n") + 1] = 0;
		witnesses->asked++;
		if (!told || strcmp(told, thread) != 0) {
			witnesses->wrong++;
			tap_note("process %s called cuInit on thread %.*s, injected: %s", process,
				 (int)strcspn(thread, "\n"), thread, told ? told : "never");
		}
	} else if (told) {
		witnesses->wrong++;
		tap_note("process %s is a forked child, and was injected", process);
	}
	free(told);
	free(expected);
}

void check_witness(const struct run *run)
{
	struct witnesses witnesses = {.run = run};

	rows_files(run->alone, "expected.", check_process, &witnesses);
	tap_result(witnesses.asked && !witnesses.wrong, "%s: %s", run->part->name,
		   run->part->title);
}

static void ignore(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	(void)user;
	(void)domain;
	(void)callback;
	(void)data;
}

static int subscribe(void)
{
	static struct cuptilib library;
	cupti_subscriber subscriber;

	if (cuptilib_open(&library))
		work_skip("no libcupti");
	return library.Subscribe(&subscriber, ignore, NULL);
}

int start_subscribed(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	work_begin();
	expect("note second %d", subscribe());
	for (int i = 0; i < 3; i++)
		work_launch(&(struct launch){.kernel = "empty"});
	work_wait();
	return 0;
}

void check_subscribed(const struct run *run)
{
	char alone[LOGTEXT_VALUE], profiled[LOGTEXT_VALUE];
	long result;

	rows_note(run->alone, "note second ", alone);
	rows_note(run->folder, "note second ", profiled);
	result = strtol(profiled, NULL, 10);
	tap_result(!strcmp(alone, "0") && (result == CUPTI_MULTIPLE_SUBSCRIBERS ||
					   result == CUPTI_MAX_LIMIT_REACHED),
		   "%s: a second subscriber gets an error (%s alone, %s profiled)", run->part->name,
		   alone, profiled);
	rows_check(run);
}

int start_refused(const struct part *part, const char *step)
{
	int result;

	(void)part;
	(void)step;
	work_open();
	result = subscribe();
	if (result && !getenv("COMPUTE_PROFILE"))
		work_skip("libcupti takes no subscriber before cuInit");
	work_begin();
	for (int i = 0; i < 3; i++)
		work_done(work_launch_only(&(struct launch){.kernel = "empty"}), "empty");
	work_wait();
	return 0;
}

void check_refused(const struct run *run)
{
	char path[512], *text;
	const char *name = run->part->name;
	size_t sentences = 0;

	snprintf(path, sizeof(path), "%s/err", run->folder);
	text = logtext_load(path);
	for (const char *at = text; at && (at = strstr(at, "computeprof:")); at++)
		sentences++;
	free(text);
	tap_result(sentences == 1, "%s: the profiler says one sentence", name);
	tap_result(rows_count(run) == 0, "%s: and logs nothing", name);
}
