/* SPDX-License-Identifier: MIT */
#include "session/attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/library_copies.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/say.h"
#include "session/call_totals.h"
#include "session/forks.h"
#include "session/logfile.h"
#include "session/locks.h"
#include "session/manifest.h"
#include "session/overhead.h"
#include "session/registry.h"
#include "session/rules.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/thread.h"
#include "settings/filename.h"

/* As in struct process. */
static uint32_t own_rank(void)
{
	const char *rank = filename_job_rank();

	return rank ? (uint32_t)number_read(rank, NULL) + 1 : 0;
}

static void (*end_at_exit)(void);

void session_end_at_exit(void (*end)(void))
{
	end_at_exit = end;
}

static int prepare(void)
{
	if (globals.catalog.names)
		return 0;
	if (thread_prepare() || catalog_init(&globals.catalog))
		return -1;
	memory_reserve();
	globals.pid = getpid();
	globals.catalog.process = (struct process){
		.pid = (uint32_t)getpid(),
		.rank = own_rank(),
		.started = clock_monotonic(),
		.monotonic_to_epoch = clock_offset(CLOCK_REALTIME, CLOCK_MONOTONIC),
	};
	forks_watch();
	if (end_at_exit)
		atexit(end_at_exit);
	return 0;
}

/* The working directory may have been removed, or the name is too long. */
static void say_no_directory(const char *pattern)
{
	char *path = rules_pattern(pattern);

	if (!path)
		say("cannot use the directory for metrics logs %.200s: %s", pattern,
		    strerror(errno));
	free(path);
}

/* Names the file whose name cannot be made absolute. */
static void say_unusable(const struct settings *settings, const char *instead)
{
	const struct {
		const char *what, *name;
	} files[] = {{"log", settings->log},
		     {"trace", settings->trace},
		     {"API log", settings->api_log},
		     {"event stream", settings->events}};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *path = files[i].name ? rules_pattern(files[i].name) : NULL;

		if (files[i].name && !path) {
			say("cannot use the %s name %.200s: %s; %s", files[i].what,
			    files[i].name, strerror(errno), instead);
			return;
		}
		free(path);
	}
	say("cannot use the names of the files: %s; %s", strerror(ENOMEM), instead);
}

int attach_prepare(struct settings *rules, const struct settings *settings, const char *instead)
{
	if (prepare()) {
		manifest_tell_no_memory();
		return -1;
	}
	if (!rules_from_settings(rules, settings)) {
		if (settings->metrics.directory && !rules->metrics.directory)
			say_no_directory(settings->metrics.directory);
		return 0;
	}
	say_unusable(settings, instead);
	return -1;
}

void attach_take(enum api api, struct settings *rules, const struct settings *settings,
		 const struct source *source)
{
	rules_free(&globals.rules[api]);
	globals.rules[api] = *rules;
	globals.sources[api] = source;
	globals.settings[api] = &globals.rules[api];
	overhead_attach(api, settings->api_calls);
	call_totals_attach(api);
	stacks_attach(settings);
	/* The other API may have started the session already. */
	if (globals.session && rules->metrics.directory)
		globals.session->notes_copies = true;
	rules_put_frame(registry_frames(), globals.settings[api], globals.forked);
	registry_store();
}

static int attach(enum api api, const struct settings *settings, const struct source *source)
{
	struct settings rules;

	if (attach_prepare(&rules, settings, "nothing is logged"))
		return -1;
	attach_take(api, &rules, settings, source);
	return 0;
}

void session_refuse(const struct settings *settings)
{
	static int once;
	struct logs logs;

	if (__atomic_exchange_n(&once, 1, __ATOMIC_RELAXED) || prepare() ||
	    logs_init(&logs, &globals.catalog, globals.settings, NULL))
		return;
	logs_write_error(&logs, settings);
	logs_forget(&logs);
}

/* Returns true if another copy of the library has the API, since each row would be recorded
 * twice. */
static bool is_of_other_copy(enum api api)
{
	const char *path = library_copies_claim(api);

	if (path)
		say("another copy of the profiler in this process, %.300s, already records %s: "
		    "this copy does not record it",
		    path, api_rows[api].name);
	return path;
}

int session_attach(enum api api, const struct settings *settings, const struct source *source)
{
	int result;

	if (is_of_other_copy(api))
		return -1;
	meta_lock();
	if (globals.marked[api]) {
		globals.marked[api] = false;
		__atomic_store_n(&globals.sources[api], source, __ATOMIC_RELEASE);
		result = 0;
	} else {
		result = attach(api, settings, source);
	}
	meta_unlock();
	return result;
}

int session_attach_marks(enum api api, const struct settings *settings)
{
	static const struct source none;
	int result = 0;

	meta_lock();
	if (!globals.settings[api]) {
		result = attach(api, settings, &none);
		globals.marked[api] = !result;
	}
	meta_unlock();
	return result;
}
