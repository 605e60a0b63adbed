/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "logtext.h"
#include "tap.h"

enum { MOST_FIELDS = 128 };

/* A line of Nsight Compute's table, cut in place: "a","b ""c""","1,024". */
struct fields {
	char *text[MOST_FIELDS];
	size_t count;
};

/* The state of its kernels; `head` has the names of the fields. */
struct table {
	struct fields head;
	const struct logtext *log;
	size_t row; /* of the log, the next one */
	size_t kernels;
	size_t values;
	size_t others;
};

/* Returns the rest after the field, whose text is unquoted. */
static char *cut_field(char *from, char **field)
{
	char *to = from;

	*field = from;
	if (*from != '"') {
		from += strcspn(from, ",\r");
		to = from;
	} else {
		for (from++; *from && (*from != '"' || from[1] == '"'); *to++ = *from++)
			from += *from == '"';
		from += *from == '"';
	}
	from += *from == ',';
	*to = 0;
	return from;
}

static void cut_line(struct fields *fields, char *line)
{
	fields->count = 0;
	while (*line && *line != '\r' && fields->count < MOST_FIELDS) {
		char *next = cut_field(line, &fields->text[fields->count++]);

		if (next == line)
			break;
		line = next;
	}
}

static const char *field(const struct table *table, const struct fields *fields, const char *name)
{
	for (size_t i = 0; i < table->head.count && i < fields->count; i++) {
		if (!strcmp(table->head.text[i], name))
			return fields->text[i];
	}
	return "";
}

/* Digits may be in groups of three. */
static double number(const char *text)
{
	char digits[64];
	size_t length = 0;

	for (; *text && length + 1 < sizeof(digits); text++) {
		if (*text != ',')
			digits[length++] = *text;
	}
	digits[length] = 0;
	return length ? strtod(digits, NULL) : NAN;
}

/* Compares one kernel: both name it "fill", or only Nsight Compute "fill(unsigned int *)". */
static void compare_kernel(struct table *table, const struct fields *fields)
{
	const char *name = field(table, fields, "Kernel Name");
	char method[LOGTEXT_VALUE], value[LOGTEXT_VALUE];
	size_t row = table->row++;

	table->kernels++;
	logtext_value(table->log, row, "method", method);
	if (strncmp(name, method, strlen(method)) || !strchr("(", name[strlen(method)])) {
		tap_result(false, "kernel %zu: %s here, %s there", table->kernels, method, name);
		table->others++;
		return;
	}
	for (size_t i = 0; i < table->head.count && i < fields->count; i++) {
		const char *metric = table->head.text[i];
		double ours, their;
		bool same;

		if (!strstr(metric, "__") || !logtext_value(table->log, row, metric, value))
			continue;
		ours = number(value);
		their = number(fields->text[i]);
		same = fabs(ours - their) <= 0.0005; /* ratios have three decimals in a log */
		tap_result(same, "kernel %zu, %s: %s is %s here, %s there", table->kernels, method,
			   metric, *value ? value : "blank", fields->text[i]);
		table->values++;
		table->others += !same;
	}
}

/* Finds the log's next row that is a kernel; false at its end. */
static bool find_kernel(struct table *table)
{
	char grid[LOGTEXT_VALUE];

	for (; table->row < table->log->row_count; table->row++) {
		logtext_value(table->log, table->row, "gridsizeX", grid);
		if (*grid)
			return true;
	}
	return false;
}

/* The table starts with its head, after any output of the program and ncu; then units. */
static void compare_line(struct table *table, char *line)
{
	struct fields fields;

	if (!table->head.count && strncmp(line, "\"ID\",", 5))
		return;
	if (!table->head.count) {
		cut_line(&table->head, line);
		return;
	}
	cut_line(&fields, line);
	if (!*field(table, &fields, "ID"))
		return;
	if (find_kernel(table)) {
		compare_kernel(table, &fields);
		return;
	}
	tap_result(false, "ncu has more kernels than the log");
	table->others++;
}

int compare_ncu(const char *theirs, const char *path)
{
	struct table table = {0};
	struct logtext log;
	char *text = logtext_load(theirs), *rest = text;

	if (!text || !logtext_read(&log, path)) {
		fprintf(stderr, "conformance: %s cannot be read\n", text ? path : theirs);
		free(text);
		return 1;
	}
	table.log = &log;
	for (char *line; rest && (line = strsep(&rest, "\n"));)
		compare_line(&table, line);
	tap_result(table.values && !find_kernel(&table), "%zu values of %zu kernels, %zu differ",
		   table.values, table.kernels, table.others);
	logtext_free(&log);
	free(text);
	return tap_finish();
}
