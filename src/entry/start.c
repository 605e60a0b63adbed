/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "backend/sampling/sampling.h"
#include "base/env.h"
#include "base/file.h"
#include "base/say.h"
#include "base/worker.h"
#include "config.h"
#include "entry/exits.h"
#include "session/manifest.h"
#include "session/predecessor.h"
#include "session/session.h"
#include "settings/environ.h"
#include "settings/filename.h"

/*
 * The constructor of the preloaded library. It arms the back ends if a *_PROFILE variable is set;
 * otherwise it does nothing in this process.
 */
#define BACKEND(name) void name##_arm(const char *library);
#include "entry/backends.def"
#undef BACKEND

static void (*const arm[])(const char *library) = {
#define BACKEND(name) name##_arm,
#include "entry/backends.def"
#undef BACKEND
	NULL,
};

/* Returns the library's absolute path; NULL if it cannot be determined. */
static const char *own_path(void)
{
	static char path[4096];
	Dl_info info;

	if (!dladdr((const void *)&arm, &info) || !info.dli_fname ||
	    file_absolute(path, sizeof(path), info.dli_fname))
		return NULL;
	return path;
}

/* The name of another profiler's library, which writes metrics logs without being asked to. */
#define PFLOG_LIBRARY "libpfinterpose.so"

/* As strstr, which the dynamic linker would look up in each process. */
static bool has_text(const char *text, const char *part)
{
	size_t at;

	for (; *text; text++) {
		for (at = 0; part[at] && text[at] == part[at];)
			at++;
		if (!part[at])
			return true;
	}
	return false;
}

/* Only LD_PRELOAD is checked, to keep the cost of a process that is not profiled small. */
static void look_at_name(void)
{
	const char *preloaded = env_get("LD_PRELOAD"), *path;

	if (!preloaded || !has_text(preloaded, PFLOG_LIBRARY))
		return;
	path = own_path();
	if (path && !strcmp(strrchr(path, '/') + 1, PFLOG_LIBRARY))
		environ_set_metrics("./test");
}

__attribute__((destructor)) static void end(void)
{
	sampling_finish();
	if (!exits_end_later())
		session_end();
}

__attribute__((constructor)) static void start(void)
{
	const char *library;

	look_at_name();
	if (!environ_any_set())
		return;
	file_remember_directory();
	file_note_standard();
	worker_note_main();
	manifest_keep_variables();
	say_look_for_reader();
	say_set_program(env_get(MANIFEST_PROGRAM));
	say_set_rank(filename_job_rank());
	exits_watch();
	if (exits_end_early())
		session_end_at_exit(end);
	predecessor_remove();
	library = own_path();
	if (library && environ_samples_only()) {
		sampling_arm(library);
		return;
	}
	for (size_t i = 0; library && arm[i]; i++)
		arm[i](library);
}
