/* SPDX-License-Identifier: MIT */
/* computeprof tail: prints the rows of logs as they come. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/say.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/distinct.h"
#include "cli/report/report.h"
#include "cli/table.h"
#include "cli/tail/tail_log.h"
#include "cli/tail/tail_process.h"
#include "cli/tail/tail_watch.h"

enum {
	ROWS = 10,    /* that are printed first, by default */
	PATIENCE = 2, /* seconds in which the tool that ran a killed program recovers its logs */
};

/* A followed log and, unless the user named it, its process. */
struct followed {
	struct tail_log *log;
	uint32_t pid;
	uint64_t start;
};

struct tail {
	struct tail_options options;
	struct tail_output output;
	struct tail_processes processes;
	bool by_process; /* the logs of processes, not those that the user named */
	bool later;	 /* logs that are found now were opened after the start */
	struct followed *logs;
	size_t count;
	int watch;
	bool failed; /* a log could not be printed */
};

/* Reads a whole number below 10^18 with nothing behind it. */
static bool read_number(const char *text, uint64_t *number)
{
	size_t digits = strspn(text, "0123456789");

	if (!digits || digits > 18 || text[digits])
		return false;
	*number = strtoull(text, NULL, 10);
	return true;
}

static int take_rows(struct tail_options *options, const char *value)
{
	options->last = ROWS;
	if (!value || read_number(value, &options->last))
		return 0;
	if (!strcmp(value, "all")) {
		options->last = UINT64_MAX;
		return 0;
	}
	if (*value == '+' && read_number(value + 1, &options->from) && options->from)
		return 0;
	say("-n takes a number, +NUMBER or all, not '%s'", value);
	return -1;
}

static int take_options(struct tail *tail, const struct flags *flags)
{
	struct tail_options *options = &tail->options;
	struct strbuf error = STRBUF_INIT;
	int result;

	options->raw = flags->value[FLAG_RAW];
	options->follow = !flags->value[FLAG_NO_FOLLOW];
	if (take_rows(options, flags->value[FLAG_ROWS]) ||
	    report_demangling(flags, &options->demangle))
		return -1;
	options->filter.demangled = options->demangle;
	result = name_filter_open(&options->filter, flags->value[FLAG_KERNELS], &error);
	if (result)
		say("--kernels: %s", strbuf_text(&error));
	strbuf_free(&error);
	return result;
}

static bool is_followed(const struct tail *tail, const char *path)
{
	for (size_t i = 0; i < tail->count; i++)
		if (!strcmp(tail->logs[i].log->path, path))
			return true;
	return false;
}

static void add_log(struct tail *tail, const char *path, uint32_t pid, uint64_t start)
{
	struct followed *logs = memory_array(tail->logs, tail->count + 1, sizeof(*logs));
	struct tail_log *log = logs ? tail_log_new(path, tail->later) : NULL;

	if (logs)
		tail->logs = logs;
	if (!log) {
		say("out of memory");
		tail->failed = true;
		return;
	}
	logs[tail->count++] = (struct followed){log, pid, start};
	tail_watch_add(tail->watch, path);
}

static void take_log(void *argument, const struct tail_ring *ring, const char *path)
{
	struct tail *tail = argument;

	if (!is_followed(tail, path))
		add_log(tail, path, ring->file.header.pid, ring->file.header.process_start);
}

static void remove_log(struct tail *tail, size_t index)
{
	if (tail->output.last == tail->logs[index].log)
		tail->output.last = NULL;
	tail_log_free(tail->logs[index].log);
	tail->count--;
	memmove(&tail->logs[index], &tail->logs[index + 1],
		(tail->count - index) * sizeof(*tail->logs));
}

/* Prints what has come to each log. Those of processes that have ended are complete then. */
static void follow_logs(struct tail *tail)
{
	if (tail->output.terminal)
		tail->output.form.width = table_width(STDOUT_FILENO);
	for (size_t i = 0; i < tail->count && !tail->output.failed; i++) {
		struct followed *followed = &tail->logs[i];
		bool ended = tail->by_process && !tail->processes.pid &&
			     !tail_process_runs(followed->pid, followed->start);

		if (tail_log_follow(followed->log, &tail->options, &tail->output))
			tail_watch_add(tail->watch, followed->log->path);
		tail->failed |= tail_log_has_failed(followed->log);
		if (ended)
			remove_log(tail, i--);
	}
}

/* Returns true if nothing more can come. */
static bool has_ended(const struct tail *tail)
{
	for (size_t i = 0; i < tail->count; i++)
		if (!tail_log_has_failed(tail->logs[i].log))
			return false;
	return !tail->by_process && tail->count;
}

/* Returns false if the reader of the output is gone. */
static bool await(struct tail *tail)
{
	return !tail->output.failed && tail_watch_wait(tail->watch);
}

/* A closed pipe ends the tool without a message, as it does other tools. */
static int end_by_pipe(void)
{
	raise(SIGPIPE);
	return EXIT_PROBLEM;
}

/* Returns the exit code. */
static int result_of(const struct tail *tail)
{
	bool failed = tail->failed || tail->processes.failed || tail->output.failed;

	return failed ? EXIT_PROBLEM : EXIT_DONE;
}

static int follow_files(struct tail *tail)
{
	for (;;) {
		follow_logs(tail);
		if (tail->output.failed || has_ended(tail) || !tail->options.follow)
			return result_of(tail);
		if (!await(tail))
			return tail->output.failed ? EXIT_PROBLEM : end_by_pipe();
	}
}

/* The records that were left in a ring file are not in a log. The tool that ran the program may be
 * recovering them. */
static bool tell_left(const struct tail *tail, time_t *since)
{
	if (!tail_processes_left(&tail->processes))
		return false;
	if (!*since)
		*since = time(NULL);
	if (time(NULL) - *since < PATIENCE)
		return true;
	say("the last rows of process %u are in its ring file; 'computeprof recover' adds them to "
	    "the log",
	    (unsigned)tail->processes.pid);
	return false;
}

static int end_of_process(const struct tail *tail)
{
	if (!tail->count && tail->processes.pid) {
		say("process %u has no log", (unsigned)tail->processes.pid);
		return EXIT_PROBLEM;
	}
	return result_of(tail);
}

static void tell_waiting(struct tail *tail)
{
	if (!tail->count && !tail->later && tail->options.follow && tail->processes.pid)
		say("process %u has no log yet; waiting for it", (unsigned)tail->processes.pid);
	tail->later = true;
}

/* Another process may have been found after the others had ended. */
static bool has_found_more(const struct tail *tail)
{
	return !tail->processes.pid && tail->processes.count;
}

/* The end of the process is checked before the read: if it has ended, the read finds all its
 * rows. */
static int follow_processes(struct tail *tail)
{
	time_t since = 0;
	bool ended;

	do {
		ended = !tail_processes_run(&tail->processes) && tail->later;
		tail_processes_look(&tail->processes, take_log, tail);
		if (!tail->later && !tail->processes.pid && !tail->processes.count) {
			say("no running process of this user is profiled");
			return EXIT_PROBLEM;
		}
		follow_logs(tail);
		tell_waiting(tail);
		if (ended)
			ended = !has_found_more(tail) && !tell_left(tail, &since);
		if (tail->output.failed || ended || !tail->options.follow)
			return end_of_process(tail);
	} while (await(tail));
	return tail->output.failed ? EXIT_PROBLEM : end_by_pipe();
}

/* A signal may come in the middle of a styled line. */
static void end_styles(int signal)
{
	static const char plain[] = "\033[0m\n";

	if (write(STDOUT_FILENO, plain, sizeof(plain) - 1) < 0)
		errno = 0;
	raise(signal); /* SA_RESETHAND, pending until the handler returns */
}

static void prepare_output(struct tail *tail)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = end_styles, .sa_flags = (int)SA_RESETHAND}, old;

	signal(SIGPIPE, SIG_DFL);
	tail->output.terminal = isatty(STDOUT_FILENO);
	tail->output.form.styles = table_has_styles(STDOUT_FILENO);
	if (!tail->output.form.styles)
		return;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
}

static int run(struct tail *tail, const struct flags *flags)
{
	uint64_t pid = 0;
	int count;

	if (flags->argument_count > 1 ||
	    (flags->argument_count && !read_number(flags->arguments[0], &pid))) {
		count = distinct_files(flags->arguments, flags->argument_count);
		for (int i = 0; i < count; i++)
			add_log(tail, flags->arguments[i], 0, 0);
		tail->output.names = count > 1;
		return count < 0 ? EXIT_PROBLEM : follow_files(tail);
	}
	tail->by_process = tail->output.names = true;
	if (flags->argument_count && !pid) {
		say("there is no process 0");
		return EXIT_PROBLEM;
	}
	if (tail_processes_init(&tail->processes, pid))
		return EXIT_PROBLEM;
	return follow_processes(tail);
}

int tail_command(const struct flags *flags)
{
	struct tail tail = {.watch = -1};
	int result;

	if (take_options(&tail, flags))
		return EXIT_TOOL_FAILED;
	prepare_output(&tail);
	if (tail.options.follow)
		tail.watch = tail_watch_open();
	result = run(&tail, flags);
	while (tail.count)
		remove_log(&tail, tail.count - 1);
	free(tail.logs);
	tail_processes_free(&tail.processes);
	strbuf_free(&tail.output.text);
	name_filter_close(&tail.options.filter);
	if (tail.watch >= 0)
		close(tail.watch);
	return result;
}
