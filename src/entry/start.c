/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stddef.h>

#include "backend/sampling/sampling.h"
#include "base/file.h"
#include "base/say.h"
#include "base/worker.h"
#include "config.h"
#include "entry/exits.h"
#include "session/manifest.h"
#include "session/predecessor.h"
#include "session/session.h"
#include "settings/environ.h"

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

__attribute__((constructor)) static void start(void)
{
	const char *library;

	if (!environ_any_set())
		return;
	file_remember_directory();
	worker_note_main();
	manifest_keep_variables();
	say_look_for_reader();
	exits_watch();
	predecessor_remove();
	library = own_path();
	for (size_t i = 0; library && arm[i]; i++)
		arm[i](library);
}

__attribute__((destructor)) static void end(void)
{
	sampling_finish();
	if (!exits_end_later())
		session_end();
}
