/* SPDX-License-Identifier: MIT */
#include "cli/run/timeout.h"

#include <ctype.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "cli/run/process_tree.h"

#define SECOND UINT64_C(1000000000)

enum { WHOLE = 1000000000 /* seconds, 31 years */, ROUNDS = 100 };

uint64_t timeout_read(const char *text)
{
	uint64_t whole = 0, part = 0, unit = SECOND / 10;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return 0;
	for (; isdigit((unsigned char)*text); text++) {
		whole = whole * 10 + (uint64_t)(*text - '0');
		if (whole > WHOLE)
			return 0;
	}
	if (*text == '.')
		for (text++; isdigit((unsigned char)*text); text++, unit /= 10)
			part += unit * (uint64_t)(*text - '0');
	return *text ? 0 : whole * SECOND + part;
}

static void of_ended(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
}

void timeout_begin(void)
{
	process_tree_keep();
}

/* Returns true if `pid` has ended. Also reaps orphans that have ended. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = {.si_pid = 0};

	while (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid &&
	       info.si_pid != pid) {
		waitpid(info.si_pid, NULL, WNOHANG);
		info.si_pid = 0;
	}
	return info.si_pid == pid;
}

/* Sleeps until `deadline`, for at most `longest`, or until a child ends or a signal comes. */
static void sleep_until(uint64_t deadline, uint64_t longest)
{
	uint64_t now = clock_monotonic(), left = deadline > now ? deadline - now : 0;
	struct timespec time;
	sigset_t ended;

	left = left < longest ? left : longest;
	time = (struct timespec){.tv_sec = (time_t)(left / SECOND),
				 .tv_nsec = (long)(left % SECOND)};
	of_ended(&ended);
	sigtimedwait(&ended, NULL, &time);
}

/* A process whose parent ends while the process list is read can be missing from it once, but not
 * twice in a row. */
static bool has_processes(void)
{
	return process_tree_signal(0) || process_tree_signal(0);
}

/* Processes that are not children of the tool send it no SIGCHLD, so they are polled. */
static bool are_gone(uint64_t deadline)
{
	while (has_processes() && clock_monotonic() < deadline)
		sleep_until(deadline, SECOND / 20);
	return !has_processes();
}

/* Ends all processes. Reaps all but the program itself, which its own waiter reaps. */
static void end_all(pid_t pid)
{
	process_tree_signal(SIGTERM);
	if (are_gone(clock_monotonic() + TIMEOUT_GRACE * SECOND))
		return;
	/* repeated, since some may have started others meanwhile */
	for (int i = 0;
	     i < ROUNDS && (process_tree_signal(SIGKILL) || process_tree_signal(SIGKILL)); i++) {
		sleep_until(UINT64_MAX, SECOND / 50);
		has_ended(pid);
	}
}

bool timeout_wait(pid_t pid, uint64_t nanoseconds)
{
	uint64_t deadline = clock_monotonic() + nanoseconds;
	sigset_t ended;

	of_ended(&ended);
	sigprocmask(SIG_BLOCK, &ended, NULL);
	while (!has_ended(pid)) {
		if (clock_monotonic() >= deadline) {
			end_all(pid);
			return true;
		}
		sleep_until(deadline, UINT64_MAX);
	}
	return false;
}
