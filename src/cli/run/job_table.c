/* SPDX-License-Identifier: MIT */
#include "cli/run/job_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/inputfile.h"
#include "cli/lines.h"
#include "cli/table.h"
#include "view/ranks/rank_json.h"
#include "view/ranks/rank_read.h"
#include "view/ranks/rank_stream.h"
#include "view/ranks/rank_table.h"

bool job_table_begin(struct job_table *table, bool demangle, int time_unit)
{
	struct strbuf error = STRBUF_INIT;

	*table = (struct job_table){.demangle = demangle, .time_unit = time_unit};
	if (rank_job_join(&table->job))
		return false;
	if (!rank_sums_open(&table->sums, NULL, demangle, &error))
		return true;
	say("%s", strbuf_text(&error));
	strbuf_free(&error);
	rank_sums_close(&table->sums);
	rank_job_leave(&table->job, false);
	return false;
}

/* Appends the name of a process; the number after its last word is the rank (rank_names.h). */
static void put_process(struct strbuf *to, const struct job_table *table, uint32_t pid)
{
	if (pid)
		strbuf_printf(to, "process %u of ", pid);
	strbuf_printf(to, "rank %llu", (unsigned long long)table->job.rank);
}

int job_table_add(struct job_table *table, const char *path, uint32_t pid, bool incomplete)
{
	struct strbuf error = STRBUF_INIT, name = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	int result = -1;

	put_process(&name, table, pid);
	if (stream) {
		stream_set_incomplete(stream, &incomplete);
		result = rank_stream_read(&table->sums, stream, strbuf_text(&name), &error);
	}
	if (result)
		say("%s", strbuf_text(&error));
	table->failed |= result < 0;
	stream_close(stream);
	strbuf_free(&error);
	strbuf_free(&name);
	return result < 0 ? -1 : 0;
}

/* A rank without work on the GPU has a time of 0. */
static int add_none(struct job_table *table)
{
	const struct rank_process process = {0};
	struct strbuf name = STRBUF_INIT;
	size_t count;
	int result = 0;

	rank_sums_processes(&table->sums, &count);
	put_process(&name, table, 0);
	if (!count)
		result = rank_sums_begin(&table->sums, strbuf_text(&name), &process);
	strbuf_free(&name);
	return result < 0 ? -1 : 0;
}

/* Appends the sums of this rank as JSON. */
static int put_json(struct job_table *table, struct strbuf *to)
{
	struct rank_rows rows = {0};
	int result = add_none(table) || rank_sums_sort(&table->sums) ||
		     rank_rows_make(&rows, &table->sums, false, table->demangle);

	if (!result)
		rank_json_put(to, &rows);
	rank_rows_free(&rows);
	return result || to->failed ? -1 : 0;
}

static int add_json(struct rank_sums *all, const struct job_table *table, const char *path,
		    struct strbuf *error)
{
	struct rank_sums part;
	struct json_value *value = inputfile_read_json(path, error);
	int result = value ? rank_sums_open(&part, NULL, table->demangle, error) : -1;

	if (!value)
		return -1;
	if (!result)
		result = rank_read(&part, value, path, error) || rank_sums_add(all, &part, error);
	rank_sums_close(&part);
	json_free(value);
	return result;
}

/* A job may have ranks on other machines. */
static void put_title(const struct job_table *table, const struct rank_rows *rows,
		      struct strbuf *to)
{
	strbuf_printf(to, "======== Profiling result of ");
	if (rows->unit_count != table->job.size)
		strbuf_printf(to, "%llu of ", (unsigned long long)rows->unit_count);
	strbuf_printf(to, "%llu ranks:", (unsigned long long)table->job.size);
}

static int print_all(const struct job_table *table, struct rank_sums *all, FILE *to)
{
	struct strbuf text = STRBUF_INIT, title = STRBUF_INIT;
	const struct printer_page page = {
		.text = &text,
		.time_unit = table->time_unit,
		.width = isatty(fileno(to)) ? table_width(fileno(to)) : 0,
	};
	struct rank_rows rows = {0};
	int result;

	all->title = "";
	result = rank_sums_sort(all) || rank_rows_make(&rows, all, false, table->demangle);
	if (!result) {
		put_title(table, &rows, &title);
		all->title = strbuf_text(&title);
		rank_table_put(&rows, &page, false);
	}
	if (result || text.failed)
		say("out of memory for the table");
	else
		fwrite(text.data, 1, text.length, to);
	rank_rows_free(&rows);
	strbuf_free(&text);
	strbuf_free(&title);
	return result;
}

/* A rank whose sums cannot be read is missing after a message. The folder is removed before
 * anything is written: another rank may wait for it, and the reader of `to` for that rank. */
static void print_paths(struct job_table *table, struct strbuf *paths, FILE *to)
{
	const char *at = strbuf_text(paths), *line;
	struct strbuf error = STRBUF_INIT, errors = STRBUF_INIT;
	struct rank_sums all;
	size_t length, count;

	if (rank_sums_open(&all, NULL, table->demangle, &errors))
		strbuf_char(&errors, '\n');
	else
		while ((line = lines_next(&at, &length))) {
			char *path = strndup(line, length);

			error.length = 0;
			if (!path || add_json(&all, table, path, &error))
				strbuf_printf(&errors, "%s\n",
					      path ? strbuf_text(&error) : "out of memory");
			free(path);
		}
	rank_job_leave(&table->job, true);
	for (at = strbuf_text(&errors); (line = lines_next(&at, &length));)
		say("%.*s", (int)length, line);
	rank_sums_processes(&all, &count);
	if (table->job.all_here)
		all.expected = table->job.size;
	if (count)
		print_all(table, &all, to);
	rank_sums_close(&all);
	strbuf_free(&error);
	strbuf_free(&errors);
}

void job_table_end(struct job_table *table, FILE *to)
{
	struct strbuf text = STRBUF_INIT, paths = STRBUF_INIT, error = STRBUF_INIT;
	const struct strbuf *own = NULL;
	bool is_last;
	size_t count;

	rank_sums_processes(&table->sums, &count);
	if (!table->failed || count) {
		if (put_json(table, &text))
			strbuf_string(&error, "out of memory for the table");
		else
			own = &text;
	}
	is_last = rank_job_end(&table->job, own, &paths, &error);
	if (is_last)
		print_paths(table, &paths, to);
	rank_job_leave(&table->job, false);
	if (error.length) {
		say("%s; this is the table of rank %llu alone", strbuf_text(&error),
		    (unsigned long long)table->job.rank);
		print_all(table, &table->sums, to);
	}
	rank_sums_close(&table->sums);
	strbuf_free(&text);
	strbuf_free(&paths);
	strbuf_free(&error);
}
