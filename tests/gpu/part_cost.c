/* SPDX-License-Identifier: MIT */
/* T18: what counters cost. The times are for the reader, nothing is expected of them. */
#include <stdlib.h>

#include "counting.h"
#include "part_counters.h"
#include "rows.h"
#include "tap.h"

enum { LAUNCHES = 1000, WARM_UP = 10, WIDTH = 4, BLOCK = 64 };

static const char expected_counters[] =
	"sm_cta_launched=4 warps_launched=8"; /* of WIDTH and BLOCK */

int cost_launches(const struct part *part, const char *step)
{
	const struct launch launch = {.kernel = "empty", .grid = {WIDTH}, .block = {BLOCK}};
	const char *words = part->config ? expected_counters : "";
	uint64_t start;

	(void)step;
	counting_begin(COUNTING_METRICS);
	for (int i = 0; i < WARM_UP; i++)
		work_done(work_launch_only(&launch), launch.kernel);
	work_wait();
	start = work_now();
	for (int i = 0; i < LAUNCHES; i++)
		work_done(work_launch_only(&launch), launch.kernel);
	work_wait();
	expect("note microseconds %.0f", (double)(work_now() - start) / 1000);
	expect("row %d method=empty %s", WARM_UP + LAUNCHES, words);
	return 0;
}

void check_cost(const struct run *run)
{
	char alone[LOGTEXT_VALUE], profiled[LOGTEXT_VALUE];

	rows_check(run);
	if (rows_note(run->alone, "note microseconds ", alone) &&
	    rows_note(run->folder, "note microseconds ", profiled))
		tap_note("%s: a launch takes %.3f us alone, %.3f us profiled", run->part->name,
			 strtod(alone, NULL) / LAUNCHES, strtod(profiled, NULL) / LAUNCHES);
}
