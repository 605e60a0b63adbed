/* SPDX-License-Identifier: MIT */
#include "cli/help/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

/* Without PAGER. */
static const char usual[] = "if command -v less >/dev/null; then exec less; fi; "
			    "if command -v more >/dev/null; then exec more; fi; exec cat";

static bool is_wanted(void)
{
	const char *pager = getenv("PAGER"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 &&
	       !(pager && (!pager[strspn(pager, " \t")] || !strcmp(pager, "cat")));
}

void pager_begin(struct pager *pager)
{
	*pager = (struct pager){.terminal = -1, .text = -1};
	if (!is_wanted() || fflush(stdout))
		return;
	/* The C library has had memfd_create since 2.27 only. */
	pager->text = (int)syscall(SYS_memfd_create, "help", MFD_CLOEXEC);
	if (pager->text < 0)
		return;
	pager->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (pager->terminal >= 0 && dup2(pager->text, STDOUT_FILENO) < 0) {
		close(pager->terminal);
		pager->terminal = -1;
	}
}

/* Calls `take` with each part of the text. */
static void read_text(const struct pager *pager,
		      void (*take)(void *data, const char *bytes, size_t size), void *data)
{
	char bytes[4096];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(pager->text, bytes, sizeof(bytes), at)) > 0) {
		take(data, bytes, (size_t)got);
		at += got;
	}
}

/* The lines of the terminal that the text takes. */
struct height {
	unsigned columns, used, lines;
};

static void measure(void *data, const char *bytes, size_t size)
{
	struct height *height = data;

	for (size_t i = 0; i < size; i++) {
		bool full = height->used == height->columns;

		height->lines += bytes[i] == '\n' || full;
		height->used = bytes[i] == '\n' ? 0 : full ? 1 : height->used + 1;
	}
}

/* A line is left for the shell's prompt. */
static bool fits(const struct pager *pager)
{
	struct height height = {.columns = 80};
	struct winsize size;

	if (ioctl(pager->terminal, TIOCGWINSZ, &size) || !size.ws_row)
		size.ws_row = 24;
	else if (size.ws_col)
		height.columns = size.ws_col;
	read_text(pager, measure, &height);
	return height.lines < size.ws_row;
}

static void write_part(void *data, const char *bytes, size_t size)
{
	(void)data;
	file_write(STDOUT_FILENO, bytes, size);
}

static void __attribute__((noreturn)) execute(const struct pager *pager)
{
	const char *command = getenv("PAGER");

	/* As git does: nothing is cleared, and colours are shown. */
	setenv("LESS", "FRX", 0);
	if (dup2(pager->text, STDIN_FILENO) >= 0 && lseek(STDIN_FILENO, 0, SEEK_SET) == 0)
		execl("/bin/sh", "sh", "-c", command ? command : usual, NULL);
	_exit(127);
}

/* Returns false if the text was not shown. The keys that end a program are for the pager. */
static bool run_pager(const struct pager *pager)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
	int status = 127 << 8;
	pid_t child;

	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	child = fork();
	if (!child) {
		sigaction(SIGINT, &interrupt, NULL);
		sigaction(SIGQUIT, &quit, NULL);
		execute(pager);
	}
	if (child > 0 && waitpid(child, &status, 0) < 0)
		status = 0; /* SIGCHLD is ignored: how it ended is not known */
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	return !WIFEXITED(status) || (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

void pager_end(struct pager *pager)
{
	if (pager->terminal >= 0) {
		fflush(stdout);
		dup2(pager->terminal, STDOUT_FILENO);
		if (fits(pager) || !run_pager(pager))
			read_text(pager, write_part, NULL);
		close(pager->terminal);
	}
	if (pager->text >= 0)
		close(pager->text);
}
