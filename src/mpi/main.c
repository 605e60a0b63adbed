/* SPDX-License-Identifier: MIT */
/* computeprof-mpi: computeprof merge by the ranks of an MPI job. Rank 0 has the command line, the
 * messages and the output; the others read files. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/command.h"
#include "cli/flame/flame_flags.h"
#include "cli/help.h"
#include "cli/standard.h"
#include "mpi/decisions.h"
#include "mpi/share.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

/* All ranks must have the same. */
static const char version[] = "computeprof-mpi " VERSION ", sums " RANK_WIRE_VERSION;

/* The MPI job. Ranks other than 0 have the sums of `job` only. */
struct ranks {
	struct exchange exchange;
	struct flags flags;
	struct merge_job job;
	char **list; /* files */
	int count;
	struct strbuf plan, decisions; /* a number that is 0 if the job goes on, and the rest */
};

static void show_help(void)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_string(&text,
		      "Usage: mpirun -n RANKS computeprof-mpi [OPTION ...] FILE ...\n"
		      "Does what 'computeprof merge' does, with the same output. Each rank of "
		      "the MPI\njob reads a part of the files.\n\n");
	help_options(&text, COMMAND_MERGE, FLAG_RECORDS);
	fputs(strbuf_text(&text), stdout);
	strbuf_free(&text);
}

/* Reads the command line, as computeprof merge. Returns -1, or the exit code if the job ends. */
static int read_options(struct flags *flags, int argc, char **argv)
{
	static char command[] = "merge";

	if (argc)
		argv[0] = command;
	if (flag_parse(flags, COMMAND_MERGE, argc, argv))
		return EXIT_TOOL_FAILED;
	if (flags->value[FLAG_HELP]) {
		show_help();
		return EXIT_DONE;
	}
	if (flag_check(flags) || flame_flags(flags) || !merge_job_has_files(flags))
		return EXIT_TOOL_FAILED;
	if (!flags->value[FLAG_RECORDS])
		return -1;
	say("computeprof-mpi adds up sums only; 'computeprof merge --records' merges records");
	return EXIT_TOOL_FAILED;
}

/* Returns -1, or the exit code if the job ends. */
static int find_files(struct ranks *ranks, int argc, char **argv)
{
	int code = read_options(&ranks->flags, argc, argv);

	if (code >= 0)
		return code;
	if (merge_job_open(&ranks->job, &ranks->flags) ||
	    merge_job_find(&ranks->job.files, &ranks->flags))
		return EXIT_TOOL_FAILED;
	ranks->list = merge_files_list(&ranks->job.files, &ranks->count);
	return ranks->list ? -1 : EXIT_TOOL_FAILED;
}

/* Values that ranks add. */
struct total {
	struct rank_sums *sums;
	uint64_t processes; /* of all ranks */
	bool failed;
};

static void put_total(void *context, struct strbuf *to)
{
	struct total *total = context;

	rank_wire_put(to, total->failed);
	if (!total->failed)
		rank_wire_put_values(to, total->sums);
}

static void add_total(void *context, const struct strbuf *bytes)
{
	struct rank_wire from = rank_wire_of(bytes);
	struct total *total = context;
	struct strbuf error = STRBUF_INIT;
	struct rank_sums part;
	int result = rank_sums_open(&part, NULL, false, &error);

	total->failed |= rank_wire_get(&from) || result ||
			 rank_wire_get_values(&part, &from, total->processes) ||
			 rank_sums_add_values(total->sums, &part, NULL);
	rank_sums_trim_launches(total->sums);
	rank_sums_close(&part);
	strbuf_free(&error);
}

static void put_outcomes(void *context, struct strbuf *to)
{
	const struct strbuf *outcomes = context;

	strbuf_append(to, outcomes->data, outcomes->length);
	to->failed |= outcomes->failed;
}

static void add_outcomes(void *context, const struct strbuf *from)
{
	strbuf_append(context, from->data, from->length);
}

static bool is_root(const struct ranks *ranks)
{
	return !ranks->exchange.rank;
}

/* Rank 0 says which files the job has. Returns -1, or the exit code if the job ends. */
static int share_plan(struct ranks *ranks, struct rank_wire *plan, int argc, char **argv)
{
	int code = is_root(ranks) ? find_files(ranks, argc, argv) : 0;

	if (is_root(ranks))
		rank_wire_put(&ranks->plan, (uint64_t)(code + 1));
	if (is_root(ranks) && code < 0)
		share_put_plan(&ranks->plan, &ranks->job, ranks->list, ranks->count);
	exchange_share(&ranks->exchange, &ranks->plan);
	*plan = rank_wire_of(&ranks->plan);
	return (int)rank_wire_get(plan) - 1;
}

/* Rank 0 says which files count. Returns -1, or the exit code if the job ends. */
static int share_decisions(struct ranks *ranks, struct strbuf *outcomes,
			   struct rank_wire *decisions)
{
	const struct exchange_value value = {put_outcomes, add_outcomes, outcomes};
	struct strbuf made = STRBUF_INIT;
	bool failed = false;
	size_t count;

	exchange_reduce(&ranks->exchange, &value);
	if (is_root(ranks)) {
		failed = decisions_make(&ranks->job, ranks->list, ranks->count, outcomes, &made);
		rank_sums_processes(&ranks->job.sums, &count);
		rank_wire_put(&ranks->decisions, failed);
		rank_wire_put(&ranks->decisions, count);
		strbuf_append(&ranks->decisions, made.data, made.length);
		ranks->decisions.failed |= made.failed;
		strbuf_free(&made);
	}
	exchange_share(&ranks->exchange, &ranks->decisions);
	*decisions = rank_wire_of(&ranks->decisions);
	return rank_wire_get(decisions) ? EXIT_TOOL_FAILED : -1;
}

/* Returns the exit code. Only that of rank 0 is used. */
static int merge(struct ranks *ranks, struct share *share, int argc, char **argv)
{
	struct total total = {.sums = &ranks->job.sums};
	const struct exchange_value value = {put_total, add_total, &total};
	struct rank_wire plan, decisions;
	int code = share_plan(ranks, &plan, argc, argv);

	if (code >= 0)
		return code;
	share_read(share, &ranks->exchange, plan);
	code = share_decisions(ranks, &share->outcomes, &decisions);
	if (code >= 0)
		return code;
	total.processes = rank_wire_get(&decisions);
	total.failed = share_add(share, &ranks->exchange, plan, decisions, total.sums);
	share_free(share);
	exchange_reduce(&ranks->exchange, &value);
	if (!is_root(ranks))
		return EXIT_DONE;
	if (!total.failed)
		return merge_job_finish(&ranks->job);
	say("out of memory for the sums of all processes");
	return EXIT_TOOL_FAILED;
}

static int run(struct ranks *ranks, int argc, char **argv)
{
	struct strbuf error = STRBUF_INIT;
	struct share share = {0};
	int code;

	if (!exchange_is_same(version)) {
		if (is_root(ranks))
			say("the ranks of this job have different versions of computeprof-mpi");
		return EXIT_TOOL_FAILED;
	}
	if (!is_root(ranks) && rank_sums_open(&ranks->job.sums, NULL, false, &error))
		exchange_no_memory(&ranks->exchange);
	code = merge(ranks, &share, argc, argv);
	share_free(&share);
	strbuf_free(&error);
	return code;
}

int main(int argc, char **argv)
{
	struct ranks ranks = {0};
	int code;

	standard_fill();
	file_note_standard();
	/* A write beyond the limit of file sizes fails then, and is reported like others. */
	signal(SIGXFSZ, SIG_IGN);
	ranks.exchange = exchange_begin(&argc, &argv);
	code = run(&ranks, argc, argv);
	if (is_root(&ranks))
		code = standard_close(code);
	merge_job_close(&ranks.job);
	free(ranks.list);
	strbuf_free(&ranks.plan);
	strbuf_free(&ranks.decisions);
	exchange_end();
	/* mpirun ends all ranks when one fails: only rank 0, which has written the output, says so.
	 */
	return is_root(&ranks) ? code : EXIT_DONE;
}
