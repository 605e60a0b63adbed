/* SPDX-License-Identifier: MIT */
/* computeprof top: the running totals of programs that run. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/say.h"
#include "cli/command.h"
#include "cli/run/timeout.h"
#include "cli/top/terminal.h"
#include "cli/top/top_view.h"
#include "session/identity.h"

#define SECOND UINT64_C(1000000000)
#define KEYS   "q quit  Tab next process  sort by: t time  c calls  a average  n name  r rate"

/* The end of a process is noticed within CHECK ns. */
enum { CHECK = 250000000, LATEST_DELAY = 3600 /* seconds */ };

struct top {
	struct watch_list list;
	struct top_view view;
	uint64_t delay; /* ns */
	uint64_t count; /* of readings, 0: no limit */
	bool found;	/* a process was found at any time */
	size_t running; /* processes after the last reading */
};

static int take_delay(struct top *top, const char *text)
{
	top->delay = text ? timeout_read(text) : SECOND;
	top->view.delay = (double)top->delay / (double)SECOND;
	if (top->delay >= SECOND / 10 && top->delay <= LATEST_DELAY * SECOND)
		return 0;
	say("-d takes seconds from 0.1 to %d, not '%s'", LATEST_DELAY, text);
	return -1;
}

static int take_count(struct top *top, const char *text)
{
	const char *end = text;

	if (text && isdigit((unsigned char)*text))
		top->count = number_read(text, &end);
	if (!text || (top->count && !*end))
		return 0;
	say("-n takes a number from 1, not '%s'", text);
	return -1;
}

/* Digits are a process id; a directory of such a name is ./123. Returns 0, or the exit code after a
 * message. */
static int take_target(struct top *top, const char *text)
{
	struct stat status;
	uint64_t pid;

	if (*text && !text[strspn(text, "0123456789")]) {
		pid = number_read(text, NULL);
		top->list.pid = (uint32_t)pid;
		if (pid && pid <= INT32_MAX && (!kill((pid_t)pid, 0) || errno != ESRCH))
			return 0;
		say("there is no process %s", text);
		return EXIT_PROBLEM;
	}
	top->list.directory = text;
	if (!stat(text, &status) && S_ISDIR(status.st_mode))
		return 0;
	say("'%s' is neither a process id nor a directory", text);
	return EXIT_TOOL_FAILED;
}

/* The place of a process in the list changes when earlier ones are removed. */
static void select_again(struct top *top, const struct watched *selected)
{
	for (size_t i = 0; i < top->list.count; i++)
		if (top->list.list[i] == selected)
			top->view.selected = i;
	if (top->view.selected >= top->list.count)
		top->view.selected = top->list.count ? top->list.count - 1 : 0;
}

/* Reads all totals, after `top->delay` or when a process has ended. Returns -1 without memory. */
static int read_totals(struct top *top)
{
	const struct watched *selected =
		top->list.count ? top->list.list[top->view.selected] : NULL;

	if (watch_list_update(&top->list) || watch_list_find(&top->list))
		return -1;
	top->found |= top->list.count;
	top->running = watch_list_running(&top->list);
	select_again(top, selected);
	return 0;
}

/* Returns true if the totals should be read before the next one is due. */
static bool has_one_ended(struct top *top)
{
	for (size_t i = 0; i < top->list.count; i++)
		if (!top->list.list[i]->ended && !totals_reader_is_alive(top->list.list[i]->reader))
			return true;
	return false;
}

static uint64_t next_check(uint64_t due)
{
	uint64_t next = clock_monotonic() + CHECK;

	return next < due ? next : due;
}

static bool runs(uint32_t pid)
{
	if (kill((pid_t)pid, 0))
		return errno != ESRCH;
	/* A zombie has no start time. Without /proc no process has one. */
	return identity_process_start(pid) || !identity_process_start((uint32_t)getpid());
}

static void put_no_process(struct strbuf *to, struct top *top)
{
	if (top->list.pid && top->list.reason.length)
		strbuf_append(to, top->list.reason.data, top->list.reason.length);
	else if (top->list.pid)
		strbuf_printf(to,
			      "process %u has no GPU work yet, or is not recorded: start it "
			      "with COMPUTE_PROFILE=1 COMPUTE_PROFILE_TOTALS=1",
			      top->list.pid);
	else if (top->list.other.length)
		strbuf_printf(to,
			      "no recorded process of this user that can be read (%s): start one "
			      "with COMPUTE_PROFILE=1 COMPUTE_PROFILE_TOTALS=1",
			      strbuf_text(&top->list.other));
	else
		strbuf_string(to, "no recorded process: start one with COMPUTE_PROFILE=1 "
				  "COMPUTE_PROFILE_TOTALS=1");
}

static void sleep_until(uint64_t due)
{
	const struct timespec time = {.tv_sec = (time_t)(due / SECOND),
				      .tv_nsec = (long)(due % SECOND)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

static void wait_plain(struct top *top, uint64_t due)
{
	while (clock_monotonic() < due && !has_one_ended(top))
		sleep_until(next_check(due));
}

static void print(struct top *top, bool first)
{
	struct strbuf text = STRBUF_INIT;

	if (!first)
		strbuf_char(&text, '\n');
	top_view_put(&text, &top->view);
	fwrite(text.data, 1, text.length, stdout);
	fflush(stdout);
	strbuf_free(&text);
}

/* Returns true if there is, or will be, something to print. */
static bool is_waiting(const struct top *top)
{
	return top->running ||
	       (top->list.pid && !top->list.reason.length && runs(top->list.pid));
}

static int run_plain(struct top *top)
{
	uint64_t due = clock_monotonic();
	struct strbuf text = STRBUF_INIT;
	bool first = true;

	top->view.every = true;
	for (uint64_t done = 0; !top->count || done < top->count; done++) {
		if (done)
			wait_plain(top, due);
		due = clock_monotonic() + top->delay;
		if (read_totals(top)) {
			say("out of memory");
			return EXIT_PROBLEM;
		}
		if (top->list.count) {
			print(top, first);
			first = false;
		}
		watch_list_drop_ended(&top->list);
		if (!is_waiting(top) || ferror(stdout))
			break;
	}
	if (top->found)
		return EXIT_DONE;
	put_no_process(&text, top);
	say("%s", strbuf_text(&text));
	strbuf_free(&text);
	return EXIT_PROBLEM;
}

static void draw(struct top *top)
{
	struct strbuf text = STRBUF_INIT;

	terminal_size(&top->view.width, &top->view.height);
	if (top->view.height > 1)
		top->view.height--; /* for the keys */
	top_view_put(&text, &top->view);
	if (!top->list.count)
		put_no_process(&text, top);
	terminal_draw(text.data, text.length,
		      top->list.count > 1 ? top->view.selected_line : SIZE_MAX, KEYS);
	strbuf_free(&text);
}

static void select_process(struct top *top, bool forward)
{
	size_t count = top->list.count;

	if (count)
		top->view.selected = (top->view.selected + (forward ? 1 : count - 1)) % count;
}

/* Returns false if the user wants to quit. */
static bool take_key(struct top *top, int key)
{
	int sort = key < TERMINAL_UP ? top_view_sort((char)key) : -1;

	if (key == 'q' || key == TERMINAL_CLOSED)
		return false;
	if (key == '\t' || key == TERMINAL_DOWN)
		select_process(top, true);
	else if (key == TERMINAL_UP || key == TERMINAL_BACK)
		select_process(top, false);
	else if (sort >= 0)
		top->view.sort = (enum top_sort)sort;
	return true;
}

/* Returns false if the user wants to quit. */
static bool wait_screen(struct top *top, uint64_t due)
{
	while (clock_monotonic() < due) {
		int key = terminal_wait(next_check(due));

		if (key == TERMINAL_TIMEOUT) {
			if (has_one_ended(top))
				return true;
			continue;
		}
		if (!take_key(top, key))
			return false;
		draw(top);
	}
	return true;
}

static int run_screen(struct top *top)
{
	int result = EXIT_DONE;
	uint64_t due;

	if (terminal_enter()) {
		say("cannot use the terminal: %m; -b needs none");
		return EXIT_PROBLEM;
	}
	for (uint64_t done = 0; !top->count || done < top->count; done++) {
		due = clock_monotonic() + top->delay;
		if (read_totals(top)) {
			result = EXIT_PROBLEM;
			break;
		}
		draw(top);
		if (!wait_screen(top, due))
			break;
	}
	terminal_leave();
	if (result)
		say("out of memory");
	return result;
}

/* Returns the exit code. */
static int run(struct top *top, const struct flags *flags)
{
	int result = flags->argument_count ? take_target(top, flags->arguments[0]) : EXIT_DONE;

	if (result)
		return result;
	return flags->value[FLAG_BATCH] || !terminal_is_usable() ? run_plain(top) : run_screen(top);
}

int top_command(const struct flags *flags)
{
	struct top *top = calloc(1, sizeof(*top));
	int result = EXIT_TOOL_FAILED;

	if (!top) {
		say("out of memory");
		return result;
	}
	top->view.list = &top->list;
	if (flags->argument_count > 1)
		say("top takes one process id or directory");
	else if (!take_delay(top, flags->value[FLAG_DELAY]) &&
		 !take_count(top, flags->value[FLAG_ITERATIONS]))
		result = run(top, flags);
	watch_list_free(&top->list);
	free(top);
	return result;
}
