/* SPDX-License-Identifier: MIT */
#include "cli/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/run/sensor_thread.h"
#include "cli/run/timeout.h"
#include "cli/suggest.h"
#include "session/manifest.h"

enum { TIMERS = 3 };

static const int timers[TIMERS] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

struct saved {
	struct sigaction actions[_NSIG]; /* of the signals that are passed on */
	struct sigaction ended;		 /* SIGCHLD */
	sigset_t mask;
	struct itimerval timers[TIMERS];
};

static volatile sig_atomic_t child_pid;

/* All signals that end or continue a program, except faults and SIGKILL. */
static bool is_passed_on(int number)
{
	switch (number) {
	case SIGABRT:
	case SIGALRM:
	case SIGCONT:
	case SIGHUP:
	case SIGINT:
	case SIGIO:
	case SIGPIPE:
	case SIGPROF:
	case SIGPWR:
	case SIGQUIT:
	case SIGSTKFLT:
	case SIGTERM:
	case SIGUSR1:
	case SIGUSR2:
	case SIGVTALRM:
	case SIGXCPU:
	case SIGXFSZ:
		return true;
	default:
		return number >= SIGRTMIN && number <= SIGRTMAX;
	}
}

/* Signals of the kernel (Ctrl-C, a hangup) go to the terminal's whole process group, so the child
 * has them already. SIGPIPE and SIGXFSZ of the tool's own writes have its own process id. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	if (info->si_code <= 0 && info->si_pid != getpid() && child_pid > 0)
		kill(child_pid, number);
	errno = error;
}

/* All signals are blocked until the child's pid is known. */
static void take_signals(struct saved *saved)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &saved->mask);
	/* some daemons leave SIGCHLD ignored; then a child could not be waited for */
	sigaction(SIGCHLD, &usual, &saved->ended);
	for (int number = 1; number < _NSIG; number++) {
		struct sigaction action = {.sa_sigaction = pass_on,
					   .sa_flags = SA_SIGINFO | SA_RESTART};

		if (!is_passed_on(number))
			continue;
		sigaction(number, NULL, &saved->actions[number]);
		/* nohup's SIGHUP stays ignored */
		if (saved->actions[number].sa_handler != SIG_IGN)
			sigaction(number, &action, NULL);
	}
}

static void give_back_signals(const struct saved *saved)
{
	for (int number = 1; number < _NSIG; number++)
		if (is_passed_on(number))
			sigaction(number, &saved->actions[number], NULL);
	sigaction(SIGCHLD, &saved->ended, NULL);
	sigprocmask(SIG_SETMASK, &saved->mask, NULL);
}

/* Timers survive an exec, but not a fork. An alarm that was set before the tool was executed is
 * for the program. */
static void take_timers(struct saved *saved)
{
	const struct itimerval none = {0};

	for (int i = 0; i < TIMERS; i++)
		setitimer(timers[i], &none, &saved->timers[i]);
}

static void set_timers(const struct saved *saved)
{
	for (int i = 0; i < TIMERS; i++)
		setitimer(timers[i], &saved->timers[i], NULL);
}

static void note_program(void)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)getpid());
	setenv(MANIFEST_PROGRAM, text, 1);
}

static void __attribute__((noreturn)) execute(char **argv, int report)
{
	int error;

	note_program();
	execvp(argv[0], argv);
	error = errno;
	while (write(report, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* The pipe is closed without data when exec succeeds. */
static int read_error(int pipe)
{
	int error = 0;
	ssize_t got;

	do
		got = read(pipe, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? error : 0;
}

/* The child is reaped only after `child_pid` is cleared, so no signal is sent to a reused pid. */
static int wait_for(pid_t pid, struct child *child)
{
	siginfo_t info;
	int status = 0;

	if (child->limit && !child->error)
		child->late = timeout_wait(pid, child->limit);
	while (waitid(P_PID, pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	child_pid = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int child_run(char **argv, struct child *child)
{
	struct saved saved;
	int report[2];
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return -1;
	take_signals(&saved);
	take_timers(&saved);
	if (child->limit)
		timeout_begin();
	pid = fork();
	if (pid == 0) {
		set_timers(&saved);
		give_back_signals(&saved);
		execute(argv, report[1]);
	}
	child_pid = pid;
	close(report[1]);
	if (pid > 0) {
		sigprocmask(SIG_SETMASK, &saved.mask, NULL);
		child->error = read_error(report[0]);
		child->pid = pid;
		sensor_thread_begin();
		child->status = wait_for(pid, child);
		sensor_thread_end();
	}
	close(report[0]);
	give_back_signals(&saved);
	return pid > 0 ? 0 : -1;
}

void child_say_error(const struct child *child, const char *name)
{
	struct suggestion nearest;
	struct strbuf hint = STRBUF_INIT;

	suggest_begin(&nearest, name);
	if (child->error == ENOENT && !strchr(name, '/'))
		suggest_offer_commands(&nearest);
	if (*nearest.nearest[0].text)
		strbuf_printf(&hint, "; did you mean computeprof %s?", nearest.nearest[0].text);
	say("cannot run '%s': %s%s", name, strerror(child->error), strbuf_text(&hint));
	strbuf_free(&hint);
}

static int die_by(int number)
{
	struct rlimit none = {0, 0};
	sigset_t set;

	fflush(NULL);
	setrlimit(RLIMIT_CORE, &none);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	return 128 + number;
}

int child_exit_code(int status)
{
	if (WIFSIGNALED(status))
		return die_by(WTERMSIG(status));
	return WEXITSTATUS(status);
}
