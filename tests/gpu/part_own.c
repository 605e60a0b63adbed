/* SPDX-License-Identifier: MIT */
/* The checks of T16: a row's grid and blocks determine its counters. */
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "part_counters.h"
#include "rows.h"
#include "tap.h"

struct own {
	size_t kernels;
	size_t counted;
	size_t strangers; /* rows with the counters of another launch, or that cannot have any */
};

static unsigned long long number(const struct logtext *log, size_t row, const char *column)
{
	char value[LOGTEXT_VALUE];

	logtext_value(log, row, column, value);
	return strtoull(value, NULL, 10);
}

/* Returns 1 for an empty or the right number; -1 otherwise. A log without the column has none. */
static int compare(const struct logtext *log, size_t row, const char *column,
		   unsigned long long wanted)
{
	char value[LOGTEXT_VALUE], *rest;

	if (!logtext_value(log, row, column, value) || !*value)
		return 0;
	return strtoull(value, &rest, 10) == wanted && !*rest ? 1 : -1;
}

/* A row's grid and blocks determine its counters. */
static void look_at_row(const struct logtext *log, size_t row, struct own *own)
{
	const struct launch launch = {
		.grid = {(unsigned)number(log, row, "gridsizeX"),
			 (unsigned)number(log, row, "gridsizeY"),
			 (unsigned)number(log, row, "gridsizeZ")},
		.block = {(unsigned)number(log, row, "threadblocksizeX"),
			  (unsigned)number(log, row, "threadblocksizeY"),
			  (unsigned)number(log, row, "threadblocksizeZ")},
	};
	int blocks = compare(log, row, "sm_cta_launched", counting_blocks(&launch));
	int warps = compare(log, row, "warps_launched", counting_warps(&launch));

	own->kernels += launch.grid[0] != 0;
	own->counted += launch.grid[0] && (blocks == 1 || warps == 1);
	if (blocks < 0 || warps < 0 || (!launch.grid[0] && (blocks || warps))) {
		own->strangers++;
		tap_note("row %zu: not its own counters: %s", row + 1, log->rows[row]);
	}
}

static void look_at_log(const char *path, void *user)
{
	struct logtext log;

	logtext_read(&log, path);
	for (size_t row = 0; row < log.row_count; row++)
		look_at_row(&log, row, user);
	logtext_free(&log);
}

static struct own look(const struct run *run)
{
	char expected[LOGTEXT_VALUE];
	struct own own = {0};

	rows_files(run->folder, "log.", look_at_log, &own);
	rows_note(run->folder, "note kernels ", expected);
	tap_result(own.kernels && own.kernels == strtoull(expected, NULL, 10) && !own.strangers,
		   "%s: %zu kernels, none with the counters of another", run->part->name,
		   own.kernels);
	return own;
}

void check_own(const struct run *run)
{
	struct own own = look(run);

	tap_result(own.counted == own.kernels, "%s: %zu of them have counters", run->part->name,
		   own.counted);
}

void check_own_or_said(const struct run *run)
{
	struct own own = look(run);

	tap_result(own.counted == own.kernels || rows_said(run->folder, "err", "computeprof: "),
		   "%s: %zu of them have counters, or it is said why not", run->part->name,
		   own.counted);
}

/* The log must have `rows`, with their counters and no others. */
static bool has_log(const char *path, size_t rows, bool blocks)
{
	struct own own = {0};
	struct logtext log;
	char value[LOGTEXT_VALUE];
	bool good;

	if (!logtext_read(&log, path))
		return false;
	for (size_t row = 0; row < log.row_count; row++)
		look_at_row(&log, row, &own);
	good = log.row_count == rows && own.counted == rows && !own.strangers &&
	       logtext_value(&log, 0, "warps_launched", value) &&
	       logtext_value(&log, 0, "sm_cta_launched", value) == blocks;
	logtext_free(&log);
	return good;
}

struct search {
	size_t good;
	size_t logs;
};

static void look_at_either(const char *path, void *user)
{
	struct search *search = user;
	bool theirs = strstr(path, "log.theirs") != NULL;

	search->logs++;
	search->good += has_log(path, theirs ? 4 : 3, !theirs);
}

void check_other_counters(const struct run *run)
{
	struct search search = {0};

	rows_files(run->folder, "log.", look_at_either, &search);
	tap_result(search.logs == 2 && search.good == 2,
		   "%s: %zu logs, %zu with the requested rows and counters", run->part->name,
		   search.logs, search.good);
}
