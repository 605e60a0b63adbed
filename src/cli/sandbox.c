/* SPDX-License-Identifier: MIT */
#include "cli/sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "settings/environ.h"

enum { SECONDS = 30, CHUNK = 4096 };

/* The child appends this byte to a complete answer. A driver may end the process before that. */
enum { WHOLE = '\0' };

static const char *const variables[] = {
	"OPENCL_LAYERS",
	"CUDA_INJECTION64_PATH",
	"LD_PRELOAD",
};

static void write_all(int file, const char *bytes, size_t size)
{
	while (size) {
		ssize_t put = write(file, bytes, size);

		if (put < 0 && errno != EINTR)
			return;
		if (put > 0) {
			bytes += put;
			size -= put;
		}
	}
}

static void __attribute__((noreturn))
be_child(int (*function)(struct strbuf *out, const char *argument), const char *argument, int pipe)
{
	struct rlimit none = {0, 0};
	struct strbuf out = STRBUF_INIT;
	int quiet = open("/dev/null", O_RDWR | O_CLOEXEC);
	int result;

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	for (unsigned int i = 0; i < ENVIRON_FAMILIES; i++)
		unsetenv(environ_family(i));
	for (int standard = STDIN_FILENO; quiet >= 0 && standard <= STDERR_FILENO; standard++)
		dup2(quiet, standard);
	setrlimit(RLIMIT_CORE, &none);
	result = function(&out, argument);
	strbuf_char(&out, WHOLE);
	write_all(pipe, out.data, out.length);
	_exit(result);
}

static int milliseconds_until(uint64_t deadline)
{
	uint64_t now = clock_monotonic();

	return now < deadline ? (int)((deadline - now) / 1000000) + 1 : 0;
}

/*
 * Returns true if the answer is complete. It does not wait for the end of file: a driver may have
 * started processes that still hold the pipe open.
 */
static bool read_all(int file, struct strbuf *out, size_t start, uint64_t deadline)
{
	struct pollfd poller = {.fd = file, .events = POLLIN};
	ssize_t got = 1;

	while (got && milliseconds_until(deadline)) {
		char *room = strbuf_reserve(out, CHUNK);

		if (!room)
			return false;
		if (poll(&poller, 1, milliseconds_until(deadline)) <= 0)
			continue;
		got = read(file, room, CHUNK);
		if (got < 0 && errno != EINTR)
			return false;
		out->length += got > 0 ? got : 0;
		if (out->length > start && out->data[out->length - 1] == WHOLE) {
			out->length--;
			return true;
		}
	}
	return false;
}

static int wait_for(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Replaces an incomplete answer by a sentence. */
static int say_failure(struct strbuf *out, size_t start, int status, bool late)
{
	out->length = start;
	if (late)
		strbuf_printf(out, "no answer within %d seconds", SECONDS);
	else if (WIFSIGNALED(status))
		strbuf_printf(out, "it crashed (signal %d)", WTERMSIG(status));
	else
		strbuf_printf(out, "it ended the process (exit code %d)", WEXITSTATUS(status));
	return -1;
}

static int parent(pid_t child, int pipe, struct strbuf *out)
{
	uint64_t deadline = clock_monotonic() + SECONDS * UINT64_C(1000000000);
	size_t start = out->length;
	bool whole = read_all(pipe, out, start, deadline);
	bool late = !whole && !milliseconds_until(deadline);
	int status;

	if (late)
		kill(child, SIGKILL);
	status = wait_for(child);
	if (!whole)
		return say_failure(out, start, status, late);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int sandbox_run(int (*function)(struct strbuf *out, const char *argument), const char *argument,
	      struct strbuf *out)
{
	int pipe[2], result = -1;
	pid_t child;

	if (pipe2(pipe, O_CLOEXEC)) {
		strbuf_printf(out, "cannot create a pipe: %m");
		return -1;
	}
	signal(SIGCHLD, SIG_DFL); /* if SIGCHLD is ignored, the child cannot be waited for */
	fflush(NULL);		  /* otherwise a driver that calls exit() writes the buffered output
	                           * a second time */
	child = fork();
	if (child == 0)
		be_child(function, argument, pipe[1]);
	close(pipe[1]);
	if (child > 0)
		result = parent(child, pipe[0], out);
	else
		strbuf_printf(out, "cannot create a process: %m");
	close(pipe[0]);
	return result;
}

const char *sandbox_path(void *handle)
{
	struct link_map *map = NULL;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) || !map)
		return "";
	return map->l_name;
}

int sandbox_load(struct strbuf *out, const char *argument)
{
	void *handle = dlopen(argument, RTLD_LAZY | RTLD_LOCAL);

	strbuf_string(out, handle ? sandbox_path(handle) : dlerror());
	return handle ? 0 : 1;
}
