/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "values.h"

enum { LOGS = 16, MOST_NOTES = 8 };

/* The logs of one process, and the findings in them. */
struct rows {
	const char *process; /* the id, as in the names of the files */
	const char *folder;
	struct logtext logs[LOGS]; /* by device */
	size_t cursors[LOGS];
	struct values values;
	size_t matched;
	size_t missing;
	size_t mistakes;
	size_t bad_times;
};

struct checked {
	const struct run *run;
	size_t rows;
	size_t mistakes;
	size_t bad_times;
	size_t late_calls;
	size_t calls;
	size_t processes;
};

static void open_logs(struct rows *rows)
{
	char path[512];

	for (int device = 0; device < LOGS; device++) {
		snprintf(path, sizeof(path), "%s/log.%s.%d", rows->folder, rows->process, device);
		if (!logtext_read(&rows->logs[device], path))
			rows->logs[device].row_count = 0;
	}
}

static void note_row(struct rows *rows, const struct logtext *log, size_t row, const char *why)
{
	if (rows->mistakes++ < MOST_NOTES)
		tap_note("process %s, row %zu: %s: %s", rows->process, row + 1, why,
			 log->rows[row]);
}

static void check_row(struct rows *rows, int device, char *const *words)
{
	const struct logtext *log = &rows->logs[device];
	size_t row = rows->cursors[device]++;
	const char *why = values_compare(&rows->values, log, row, words);

	if (why)
		note_row(rows, log, row, why);
	why = values_times(log, row);
	if (why) {
		tap_note("process %s, row %zu: %s: %s", rows->process, row + 1, why,
			 log->rows[row]);
		rows->bad_times++;
	}
	rows->matched++;
}

/* Checks a line of the expectations: the kind, the number, keys and values. */
static void check_line(struct rows *rows, char *const *words)
{
	bool may = !strcmp(words[0], "may");
	long count = strtol(words[1], NULL, 10);
	int device = 0;

	for (char *const *word = words; *word; word++) {
		if (!strncmp(*word, "device=", 7))
			device = (int)strtol(*word + 7, NULL, 10) % LOGS;
	}
	for (long i = 0; i < count; i++) {
		if (rows->cursors[device] < rows->logs[device].row_count)
			check_row(rows, device, words + 2);
		else if (!may)
			rows->missing++;
	}
}

static void cut_line(char *line, char **words, size_t most)
{
	size_t count = 0;

	for (char *rest = line, *word; count + 1 < most && (word = strsep(&rest, " "));) {
		if (*word)
			words[count++] = word;
	}
	words[count] = NULL;
}

static void check_expectations(struct rows *rows, char *text)
{
	char *words[64];

	for (char *line; (line = strsep(&text, "\n"));) {
		if (strncmp(line, "row ", 4) && strncmp(line, "may ", 4))
			continue;
		cut_line(line, words, 64);
		if (words[0] && words[1])
			check_line(rows, words);
	}
}

static void close_logs(struct rows *rows)
{
	for (int device = 0; device < LOGS; device++) {
		size_t left = rows->logs[device].row_count - rows->cursors[device];

		if (left)
			note_row(rows, &rows->logs[device], rows->cursors[device], "not expected");
		logtext_free(&rows->logs[device]);
	}
	if (rows->missing) {
		tap_note("process %s: %zu rows are missing", rows->process, rows->missing);
		rows->mistakes++;
	}
}

static void check_process(const char *path, void *user)
{
	struct checked *checked = user;
	struct rows rows = {.process = strrchr(path, '.') + 1, .folder = checked->run->folder};
	char *text = logtext_load(path);

	values_begin(&rows.values);
	open_logs(&rows);
	if (text)
		check_expectations(&rows, text);
	free(text);
	close_logs(&rows);
	checked->processes++;
	checked->rows += rows.matched;
	checked->mistakes += rows.mistakes;
	checked->bad_times += rows.bad_times;
	checked->calls += rows.values.calls;
	checked->late_calls += values_late(&rows.values);
}

void rows_check(const struct run *run)
{
	struct checked checked = {.run = run};
	const char *name = run->part->name;

	rows_files(run->folder, "expected.", check_process, &checked);
	tap_result(checked.processes && !checked.mistakes, "%s: %zu rows, as expected", name,
		   checked.rows);
	if (checked.rows)
		tap_result(!checked.bad_times, "%s: device times make sense", name);
	if (checked.calls)
		tap_result(!checked.late_calls, "%s: %zu calls fit the program's clock", name,
			   checked.calls);
}
