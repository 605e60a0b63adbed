/* SPDX-License-Identifier: MIT */
/* computeprof-rewrite: where it is, and where it keeps its results. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/library.h"
#include "cli/sandbox.h"
#include "config.h"

enum {
	NOT_KEPT = 1, /* of computeprof-rewrite */
	FAILED = 100, /* for sandbox_run */
	CANNOT_START = 127,
	PIECE = 4096, /* bytes */
};

static void read_all(int file, struct strbuf *out)
{
	char *room;
	ssize_t got;

	while ((room = strbuf_reserve(out, PIECE)) && (got = read(file, room, PIECE)) > 0)
		out->length += (size_t)got;
	while (out->length && out->data[out->length - 1] == '\n')
		out->length--;
}

/* For sandbox_run: appends what computeprof-rewrite at `path` says about its cache. Returns its
 * exit code. */
static int ask_cache(struct strbuf *out, const char *path)
{
	int pipes[2], status = 0;
	pid_t pid = pipe(pipes) ? -1 : fork();

	if (!pid) {
		dup2(pipes[1], STDOUT_FILENO);
		dup2(pipes[1], STDERR_FILENO);
		close(pipes[0]);
		close(pipes[1]);
		execl(path, path, "--cache-state", (char *)NULL);
		_exit(CANNOT_START);
	}
	if (pid < 0) {
		strbuf_printf(out, "it cannot be started: %m");
		return FAILED;
	}
	close(pipes[1]);
	read_all(pipes[0], out);
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) <= NOT_KEPT)
		return WEXITSTATUS(status);
	if (!out->length)
		strbuf_string(out, "it does not run");
	return FAILED;
}

static void say_cache(struct doctor *doctor, const char *path)
{
	struct strbuf out = STRBUF_INIT;
	int code = sandbox_run(ask_cache, path, &out);

	if (code < 0 || code > NOT_KEPT)
		doctor_say(doctor, VERDICT_NOTE, "kernels: %s: %s", path, strbuf_text(&out));
	else
		doctor_say(doctor, code ? VERDICT_NOTE : VERDICT_OK, "cache: %s",
			   strbuf_text(&out));
	strbuf_free(&out);
}

void doctor_rewrite(struct doctor *doctor)
{
	struct strbuf path = STRBUF_INIT;

	if (!library_rewrite(&path)) {
		doctor_say(doctor, VERDICT_OK, "kernels: %s rewrites their sources",
			   strbuf_text(&path));
		say_cache(doctor, strbuf_text(&path));
	} else if (WITH_LIBCLANG) {
		doctor_say(doctor, VERDICT_NOTE,
			   "kernels: %s is missing: nothing rewrites their sources",
			   strbuf_text(&path));
	} else {
		doctor_say(doctor, VERDICT_NOTE,
			   "kernels: nothing rewrites their sources: this computeprof was built "
			   "without libclang (libclang-dev)");
	}
	strbuf_free(&path);
}
