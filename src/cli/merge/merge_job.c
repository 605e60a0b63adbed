/* SPDX-License-Identifier: MIT */
#include "cli/merge/merge_job.h"

#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/inputfile.h"
#include "cli/print/print.h"
#include "cli/report/report.h"
#include "cli/wholefile.h"
#include "view/ranks/rank_identity.h"
#include "view/ranks/rank_json.h"
#include "view/ranks/rank_read.h"
#include "view/ranks/rank_stream.h"
#include "view/ranks/rank_table.h"

static int take_by(struct merge_job *job, const char *value)
{
	job->by_process = value && !strcmp(value, "process");
	if (!value || job->by_process || !strcmp(value, "rank"))
		return 0;
	say("--by takes rank or process, not '%s'", value);
	return -1;
}

static int take_unit(struct merge_job *job, const char *name)
{
	int unit = name ? tables_unit(name) : TABLES_AUTO;

	job->time_unit = unit - 1; /* QUANTITY_AUTO is -1 */
	if (unit >= 0)
		return 0;
	say("unknown unit '%s': use auto, s, ms, us or ns", name);
	return -1;
}

static int check_output(const struct flags *flags)
{
	const char *output = flags->value[FLAG_OUTPUT];

	if (flags->value[FLAG_CSV] && flags->value[FLAG_JSON]) {
		say("--csv and --json exclude each other");
		return -1;
	}
	if (!output && flags->value[FLAG_FORCE]) {
		say("-f is for files: it needs -o");
		return -1;
	}
	if (!output)
		return 0;
	if (!text_ends(output, ".json")) {
		say("merge -o writes FILE.json, not '%s'", output);
		return -1;
	}
	for (int i = 0; i < flags->argument_count; i++)
		if (print_same_file(flags->arguments[i], output))
			return -1;
	return wholefile_check(flags, NULL, output);
}

bool merge_job_has_files(const struct flags *flags)
{
	if (flags->argument_count)
		return true;
	say("merge needs files or directories, as in 'merge app.*.cptrace'; see "
	    "'computeprof merge --help'");
	return false;
}

int merge_job_open(struct merge_job *job, const struct flags *flags)
{
	struct strbuf error = STRBUF_INIT;
	int result;

	*job = (struct merge_job){.flags = flags};
	if (take_by(job, flags->value[FLAG_BY]) || take_unit(job, flags->value[FLAG_UNIT]) ||
	    report_demangling(flags, &job->demangle) || check_output(flags))
		return -1;
	result = rank_sums_open(&job->sums, flags->value[FLAG_KERNELS], job->demangle, &error);
	if (result)
		say("%s", strbuf_text(&error));
	strbuf_free(&error);
	return result;
}

int merge_job_find(struct merge_files *files, const struct flags *flags)
{
	files->output = flags->value[FLAG_OUTPUT];
	for (int i = 0; i < flags->argument_count; i++) {
		if (!merge_files_add(files, flags->arguments[i]))
			continue;
		say("out of memory for the list of files");
		return -1;
	}
	return 0;
}

int merge_job_read(struct rank_sums *part, const char *path, struct strbuf *error)
{
	struct json_value *value;
	struct stream *stream;
	int result;

	if (inputfile_is_json(path)) {
		value = inputfile_read_json(path, error);
		result = value ? rank_read(part, value, path, error) : -1;
		json_free(value);
		return result;
	}
	stream = stream_open(path, error);
	result = stream ? rank_stream_read(part, stream, path, error) : -1;
	if (error->length)
		inputfile_name_error(error, path);
	stream_close(stream);
	return result;
}

static int leave_out(struct merge_job *job, const char *path, const char *reason)
{
	say("%s", reason);
	job->failed = true;
	if (!rank_sums_add_missing(&job->sums, path, reason))
		return 0;
	say("out of memory for the list of files");
	return -1;
}

int merge_job_add(struct merge_job *job, const char *path, const struct rank_sums *part, int result,
		  struct strbuf *error)
{
	if (result > 0) {
		say("%s", strbuf_text(error));
		job->failed = true;
		error->length = 0;
	}
	result = result < 0 ? 1 : rank_sums_add(&job->sums, part, error);
	if (result > 0)
		return leave_out(job, path, strbuf_text(error)) ? -1 : 1;
	if (result)
		say("%s", strbuf_text(error));
	return result;
}

int merge_job_add_wrong(struct merge_job *job)
{
	const struct merge_wrong *wrong = (const void *)job->files.wrong.data;
	size_t count = job->files.wrong.length / sizeof(*wrong);
	int result = 0;

	for (size_t i = 0; i < count && !result; i++)
		result = leave_out(job, wrong[i].path, wrong[i].reason);
	return result;
}

static void put(const struct merge_job *job, struct rank_rows *rows, struct strbuf *to)
{
	const struct printer_page page = {
		.text = to,
		.csv = job->flags->value[FLAG_CSV],
		.time_unit = job->time_unit,
		.width = job->width,
	};

	if (job->flags->value[FLAG_JSON])
		rank_json_put(to, rows);
	else
		rank_table_put(rows, &page, job->flags->value[FLAG_LONGEST]);
}

static int write_output(const struct merge_job *job, struct rank_rows *rows)
{
	const char *path = job->flags->value[FLAG_OUTPUT];
	struct strbuf text = STRBUF_INIT;
	int result = -1;

	if (!path)
		return 0;
	rank_json_put(&text, rows);
	if (text.failed)
		say("out of memory for %s", path);
	else
		result = wholefile_write(path, &text, 1, job->flags->value[FLAG_FORCE]);
	strbuf_free(&text);
	return result;
}

/* Returns -1 after a message, or if main() prints one. */
static int print(const struct merge_job *job)
{
	struct strbuf text = STRBUF_INIT;
	struct rank_rows rows;
	int result = rank_rows_make(&rows, &job->sums, job->by_process, job->demangle);

	if (!result)
		put(job, &rows, &text);
	if (result || text.failed) {
		say("out of memory for the table");
		result = -1;
	} else if (fwrite(text.data, 1, text.length, stdout) != text.length || fflush(stdout)) {
		result = -1;
	} else {
		result = write_output(job, &rows);
	}
	rank_rows_free(&rows);
	strbuf_free(&text);
	return result;
}

/* Returns -1 after a message without memory. */
static int say_unknown(const struct rank_sums *sums)
{
	struct strbuf text = STRBUF_INIT;
	int result = rank_identity_put_unknown(sums, &text);

	if (result)
		say("out of memory for the list of processes");
	else if (text.length)
		say("%s", strbuf_text(&text));
	strbuf_free(&text);
	return result;
}

int merge_job_finish(struct merge_job *job)
{
	size_t count;

	rank_sums_processes(&job->sums, &count);
	if (!count) {
		say("no file could be read, so nothing is merged");
		return EXIT_PROBLEM;
	}
	if (say_unknown(&job->sums))
		return EXIT_TOOL_FAILED;
	if (rank_sums_sort(&job->sums)) {
		say("out of memory for the table");
		return EXIT_TOOL_FAILED;
	}
	return print(job) || job->failed ? EXIT_PROBLEM : EXIT_DONE;
}

void merge_job_close(struct merge_job *job)
{
	rank_sums_close(&job->sums);
	merge_files_free(&job->files);
}
