/* SPDX-License-Identifier: MIT */
#include "cli/trial.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 30, CHUNK = 4096 };

static const char *const doors[] = {
	"COMPUTE_PROFILE", "CUDA_PROFILE",	    "OPENCL_PROFILE",
	"OPENCL_LAYERS",   "CUDA_INJECTION64_PATH", "LD_PRELOAD",
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
	struct strbuf out = STRBUF_INIT;
	int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int result;

	for (size_t i = 0; i < sizeof(doors) / sizeof(doors[0]); i++)
		unsetenv(doors[i]);
	if (quiet >= 0) {
		dup2(quiet, STDOUT_FILENO);
		dup2(quiet, STDERR_FILENO);
	}
	alarm(SECONDS);
	result = function(&out, argument);
	write_all(pipe, out.data, out.length);
	_exit(result);
}

static void read_all(int file, struct strbuf *out)
{
	ssize_t got = 1;

	while (got) {
		char *room = strbuf_reserve(out, CHUNK);

		got = room ? read(file, room, CHUNK) : 0;
		if (got > 0)
			out->length += got;
		else if (got < 0 && errno != EINTR)
			got = 0;
	}
}

static int result_of(pid_t child, struct strbuf *out, size_t start)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	out->length = start;
	if (WTERMSIG(status) == SIGALRM)
		strbuf_printf(out, "no answer within %d seconds", SECONDS);
	else
		strbuf_printf(out, "it crashed (signal %d)", WTERMSIG(status));
	return -1;
}

int trial_run(int (*function)(struct strbuf *out, const char *argument), const char *argument,
	      struct strbuf *out)
{
	size_t start = out->length;
	int pipe[2];
	pid_t child;

	if (pipe2(pipe, O_CLOEXEC)) {
		strbuf_printf(out, "there is no pipe for it: %m");
		return -1;
	}
	child = fork();
	if (child == 0)
		be_child(function, argument, pipe[1]);
	close(pipe[1]);
	if (child > 0)
		read_all(pipe[0], out);
	else
		strbuf_printf(out, "there is no process for it: %m");
	close(pipe[0]);
	return child > 0 ? result_of(child, out, start) : -1;
}

const char *trial_path(void *handle)
{
	struct link_map *map = NULL;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) || !map)
		return "";
	return map->l_name;
}

int trial_load(struct strbuf *out, const char *argument)
{
	void *handle = dlopen(argument, RTLD_LAZY | RTLD_LOCAL);

	strbuf_string(out, handle ? trial_path(handle) : dlerror());
	return handle ? 0 : 1;
}
