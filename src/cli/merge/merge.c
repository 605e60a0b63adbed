/* SPDX-License-Identifier: MIT */
/* computeprof merge: the processes of one run, such as the ranks of an MPI program. */
#include <stdlib.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/merge/merge_job.h"
#include "cli/merge/merge_records.h"
#include "cli/table.h"

/* Returns -1 after a message without memory. */
static int add_file(struct merge_job *job, const char *path)
{
	const struct flags *flags = job->flags;
	struct strbuf error = STRBUF_INIT;
	struct rank_sums part;
	int result = rank_sums_open(&part, flags->value[FLAG_KERNELS], job->demangle, &error);

	if (result)
		say("%s", strbuf_text(&error));
	else
		result = merge_job_add(job, path, &part, merge_job_read(&part, path, &error),
				       &error);
	rank_sums_close(&part);
	strbuf_free(&error);
	return result < 0 ? -1 : 0;
}

static int add_files(struct merge_job *job)
{
	int count, result = 0;
	char **list = merge_files_list(&job->files, &count);

	if (!list)
		return -1;
	for (int i = 0; i < count && !result; i++)
		result = add_file(job, list[i]);
	free(list);
	return result ? -1 : merge_job_add_wrong(job);
}

static int merge_sums(const struct flags *flags)
{
	struct merge_job job;
	int result = EXIT_TOOL_FAILED;

	if (!merge_job_open(&job, flags) && !merge_job_find(&job.files, flags)) {
		job.width = isatty(STDOUT_FILENO) ? table_width(STDOUT_FILENO) : 0;
		if (!add_files(&job))
			result = merge_job_finish(&job);
	}
	merge_job_close(&job);
	return result;
}

/* Instead of sums. */
static int merge_all_records(const struct flags *flags, struct merge_files *files)
{
	const struct merge_wrong *wrong;
	size_t bad;
	int count, result;
	char **list;

	if (merge_job_find(files, flags))
		return EXIT_TOOL_FAILED;
	list = merge_files_list(files, &count);
	if (!list)
		return EXIT_TOOL_FAILED;
	wrong = (const void *)files->wrong.data;
	bad = files->wrong.length / sizeof(*wrong);
	for (size_t i = 0; i < bad; i++)
		say("%s", wrong[i].reason);
	result = merge_records(flags, list, (size_t)count);
	free(list);
	return bad && !result ? EXIT_PROBLEM : result;
}

int merge_command(const struct flags *flags)
{
	struct merge_files files = {.records = true};
	int result;

	if (!merge_job_has_files(flags))
		return EXIT_TOOL_FAILED;
	if (!flags->value[FLAG_RECORDS])
		return merge_sums(flags);
	if (merge_records_check(flags))
		return EXIT_TOOL_FAILED;
	result = merge_all_records(flags, &files);
	merge_files_free(&files);
	return result;
}
