/* SPDX-License-Identifier: MIT */
/* T17: counters without permission, and one that does not exist. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "part_counters.h"
#include "rows.h"
#include "tap.h"

enum { LAUNCHES = 20, ASKED_FOR = 3, CODE = 7 };

/* Only the times are expected: without a counter there is no column for it. */
int refused_all(const struct part *part, const char *step)
{
	char bytes[64] = {0};

	(void)part;
	(void)step;
	work_begin();
	if (!counting_is_refused())
		work_skip("this machine lets everybody read counters, or who runs this is not "
			  "anybody");
	for (unsigned i = 1; i <= LAUNCHES; i++) {
		work_launch(&(struct launch){
			.kernel = "empty", .grid = {i}, .block = {64}, .more = "gputime=+"});
		DO(MemcpyHtoD, work_memory, bytes, sizeof(bytes));
		expect("row 1 method=memcopy memtransfersize=64 gputime=+");
	}
	work_wait();
	return CODE;
}

/* The profiler reports the reason once. */
static size_t sentences(const struct run *run, const char *words, bool *have_words)
{
	char path[512], *text;
	size_t count = 0;

	snprintf(path, sizeof(path), "%s/err", run->folder);
	text = logtext_load(path);
	for (const char *at = text; at && (at = strstr(at, "computeprof: ")); at++)
		count++;
	*have_words = text && strstr(text, words);
	free(text);
	return count;
}

struct warnings {
	size_t logs;
	size_t right;
	const char *name; /* of one counter to be refused */
	size_t count;	  /* of all */
};

static void look_at_log(const char *path, void *user)
{
	struct warnings *warnings = user;
	char *text = logtext_load(path), line[256];
	size_t count = 0;

	for (const char *at = text; at && (at = strstr(at, "NV_Warning: ")); at++)
		count++;
	snprintf(line, sizeof(line),
		 "NV_Warning: Counter '%s' is not compatible with other "
		 "selected counters and it cannot be profiled in this run.\n",
		 warnings->name);
	warnings->logs++;
	warnings->right += count == warnings->count && text && strstr(text, line);
	free(text);
}

static void check_warnings(const struct run *run, const char *name, size_t count)
{
	struct warnings warnings = {.name = name, .count = count};

	rows_files(run->folder, "log.", look_at_log, &warnings);
	tap_result(warnings.logs == 1 && warnings.right == 1, "%s: %zu NV_Warning, for '%s' too",
		   run->part->name, count, name);
}

void check_refusal(const struct run *run)
{
	const char *name = run->part->name;
	bool all = !strcmp(name, "T17.privilege"), named;
	const char *words = all ? "NVreg_RestrictProfilingToAdminUsers" : "smsp__no_such_thing.sum";
	size_t said = sentences(run, words, &named);

	rows_check(run);
	check_warnings(run, all ? "warps_launched" : "smsp__no_such_thing.sum",
		       all ? ASKED_FOR : 1);
	tap_result(said == 1 && named, "%s: one sentence that tells of %s", name, words);
}

/* A nonexistent metric among existing ones. */
int refused_one(const struct part *part, const char *step)
{
	struct launch launch = {.kernel = "empty", .block = {64}};

	(void)part;
	(void)step;
	counting_begin(COUNTING_METRICS);
	for (unsigned i = 1; i <= LAUNCHES; i++) {
		launch.grid[0] = i;
		counting_launch(&launch, "sm_cta_launched=%u warps_launched=%u", i, 2 * i);
	}
	work_wait();
	return CODE;
}
