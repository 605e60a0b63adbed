/* SPDX-License-Identifier: MIT */
/*
 * Usage: stderrs full PROGRAM ARGUMENT...
 *        stderrs background PROGRAM ARGUMENT...
 *        stderrs replaced
 *
 *   full        PROGRAM's stderr is a full pipe, which no process reads
 *   background  PROGRAM is a background job of a terminal that takes no output of such jobs;
 *               ../terminal has the output of the terminal
 *   replaced    closes stderr, opens ../second, which gets its number, and makes ROWS numbered
 *               commands; prints "rows N"
 *
 * The exit code is PROGRAM's, or STOPPED if a signal has stopped it.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "numbered.h"

enum { ROWS = 500, STOPPED = 99 };

static void check(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(EXIT_FAILURE);
}

static void full(char **program)
{
	static const char bytes[4096];
	int ends[2];

	check(!pipe(ends), "pipe");
	check(!fcntl(ends[1], F_SETFL, O_NONBLOCK), "fcntl");
	while (write(ends[1], bytes, sizeof(bytes)) > 0)
		;
	while (write(ends[1], bytes, 1) > 0)
		;
	check(!fcntl(ends[1], F_SETFL, 0), "fcntl");
	dup2(ends[1], STDERR_FILENO);
	execvp(program[0], program);
	_exit(EXIT_FAILURE);
}

static int code_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : STOPPED;
}

/* Makes a terminal for this process's session; *other is its other end. */
static int open_terminal(int *other)
{
	struct termios modes;
	int terminal;

	*other = posix_openpt(O_RDWR | O_NOCTTY);
	check(*other >= 0 && !grantpt(*other) && !unlockpt(*other), "posix_openpt");
	terminal = open(ptsname(*other), O_RDWR);
	check(terminal >= 0 && !ioctl(terminal, TIOCSCTTY, 0), "controlling terminal");
	check(!tcgetattr(terminal, &modes), "tcgetattr");
	modes.c_lflag |= TOSTOP;
	modes.c_oflag &= ~(tcflag_t)OPOST;
	check(!tcsetattr(terminal, TCSANOW, &modes), "tcsetattr");
	check(tcgetpgrp(terminal) == getpgrp(), "this process is in the foreground");
	return terminal;
}

static void keep_said(int other)
{
	char bytes[4096];
	ssize_t size;
	FILE *to = fopen("../terminal", "w");

	check(to != NULL, "../terminal");
	fcntl(other, F_SETFL, O_NONBLOCK);
	while ((size = read(other, bytes, sizeof(bytes))) > 0)
		fwrite(bytes, 1, (size_t)size, to);
	fclose(to);
}

/* Leads a session whose terminal has a background job. */
static void lead(char **program)
{
	int other, terminal, status;
	pid_t job;

	check(setsid() >= 0, "setsid");
	terminal = open_terminal(&other);
	job = fork();
	if (!job) {
		setpgid(0, 0);
		dup2(terminal, STDERR_FILENO);
		execvp(program[0], program);
		_exit(EXIT_FAILURE);
	}
	check(waitpid(job, &status, WUNTRACED) == job, "waitpid");
	if (WIFSTOPPED(status))
		kill(job, SIGKILL);
	keep_said(other);
	_exit(code_of(status));
}

static void background(char **program)
{
	pid_t leader = fork();
	int status;

	if (!leader)
		lead(program);
	check(waitpid(leader, &status, 0) == leader, "waitpid");
	exit(code_of(status));
}

static void replaced(void)
{
	struct numbered numbered;

	close(STDERR_FILENO);
	if (open("../second", O_WRONLY | O_CREAT | O_TRUNC, 0600) != STDERR_FILENO)
		exit(EXIT_FAILURE);
	numbered_open();
	numbered_begin(&numbered);
	numbered_copy(&numbered, ROWS);
	numbered_finish(&numbered);
	numbered_say(ROWS);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "full"))
		full(argv + 2);
	if (argc > 2 && !strcmp(argv[1], "background"))
		background(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "replaced"))
		replaced();
	return EXIT_SUCCESS;
}
