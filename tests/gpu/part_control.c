/* SPDX-License-Identifier: MIT */
#include "part_control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "tap.h"
#include "work.h"

/* With `enableonstart 0`: identifies launches between start and stop by their width. */
int control_windows(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	work_begin();
	if (!cu.ProfilerStart || !cu.ProfilerStop)
		work_skip("the driver has no cuProfilerStart");
	work_done(work_launch_only(&(struct launch){.kernel = "empty", .grid = {100}}), "empty");
	work_wait();
	for (unsigned window = 0; window < 3; window++) {
		DO(ProfilerStart);
		for (unsigned i = 1; i <= 3; i++)
			work_launch(&(struct launch){.kernel = "empty", .grid = {10 * window + i}});
		if (window == 0)
			work_wait();
		DO(ProfilerStop);
		for (unsigned i = 0; i < 5; i++)
			work_done(work_launch_only(
					  &(struct launch){.kernel = "empty", .grid = {200 + i}}),
				  "empty");
		work_wait();
	}
	return 0;
}

static const char wanted[] = "method,gputime,cputime,gridsizeX,gridsizeY,occupancy,streamid";

int control_initialize(const struct part *part, const char *step)
{
	FILE *config = fopen("their.conf", "w");
	int result;

	(void)part;
	(void)step;
	if (!config || fputs("gridsize\nstreamid\n", config) < 0 || fclose(config))
		work_fail("their.conf", 1);
	work_begin();
	if (!cu.ProfilerInitialize)
		work_skip("the driver has no cuProfilerInitialize");
	result = cu.ProfilerInitialize("their.conf", "their.log", 1);
	if (result) {
		fprintf(stderr, "cuProfilerInitialize says %d\n", result);
		work_skip("the driver refuses cuProfilerInitialize");
	}
	if (cu.ProfilerStart)
		cu.ProfilerStart();
	for (int i = 0; i < 3; i++)
		work_done(work_launch_only(&(struct launch){.kernel = "empty", .grid = {4, 2}}),
			  "empty");
	work_wait();
	return 0;
}

/* The requested columns, with or without timestamp, in CSV. */
void check_initialize(const struct run *run)
{
	const char *name = run->part->name;
	char path[512], *text, grid[LOGTEXT_VALUE];
	struct logtext log;
	bool all = true;

	snprintf(path, sizeof(path), "%s/their.log", run->folder);
	text = logtext_load(path);
	tap_result(text && strstr(text, wanted), "%s: columns as in their.conf", name);
	free(text);
	logtext_read(&log, path);
	for (size_t row = 0; row < log.row_count; row++) {
		logtext_value(&log, row, "gridsizeX", grid);
		all = all && !strcmp(grid, "4");
	}
	tap_result(all && log.row_count == 3, "%s: three rows in their.log", name);
	tap_result(!rows_count(run), "%s: and none elsewhere", name);
	logtext_free(&log);
}
