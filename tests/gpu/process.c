/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool become_plain(void)
{
	return geteuid() || (!setgroups(0, NULL) && !setgid(NOBODY) && !setuid(NOBODY));
}

bool process_plain_can(const char *path, int mode)
{
	int status = 1;
	pid_t child = fork();

	if (child == 0)
		_exit(!become_plain() || access(path, mode));
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static void become(const struct process *process)
{
	int nothing, out, err;

	setpgid(0, 0);
	if (chdir(process->folder) || (process->plain && !become_plain()))
		_exit(127);
	nothing = open("/dev/null", O_RDONLY);
	out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (dup2(nothing, 0) != 0 || dup2(out, 1) != 1 || dup2(err, 2) != 2)
		_exit(127);
	close(nothing);
	close(out);
	close(err);
	execve(process->arguments[0], process->arguments, process->environment);
	perror(process->arguments[0]);
	_exit(127);
}

/* A part may leave children: they end with the group. */
struct outcome process_run(const struct process *process)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	struct outcome outcome = {.status = 127 << 8};
	double start = now();
	struct rusage usage = {0};
	pid_t child;

	if (process->plain && !geteuid() && chown(process->folder, NOBODY, NOBODY))
		return outcome;
	child = fork();
	if (child == 0)
		become(process);
	if (child < 0)
		return outcome;
	setpgid(child, child);
	while (wait4(child, &outcome.status, WNOHANG, &usage) == 0) {
		if (!outcome.late && now() - start > process->limit) {
			outcome.late = true;
			kill(-child, SIGKILL);
			kill(child, SIGKILL);
		}
		nanosleep(&pause, NULL);
	}
	outcome.end = now();
	outcome.seconds = outcome.end - start;
	outcome.resident = usage.ru_maxrss;
	kill(-child, SIGKILL);
	return outcome;
}

const char *process_text(int status)
{
	static char text[32];

	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "signal %d", WTERMSIG(status));
	else
		snprintf(text, sizeof(text), "exit code %d", WEXITSTATUS(status));
	return text;
}
