/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/library_copies.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/tsan.h"
#include "model/api.h"
#include "session/call_totals.h"
#include "session/forks.h"
#include "session/identity.h"
#include "session/locks.h"
#include "session/logfile.h"
#include "session/manifest.h"
#include "session/overhead.h"
#include "session/registry.h"
#include "session/ringfile_path.h"
#include "session/round.h"
#include "session/rules.h"
#include "session/shutdown.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/writer.h"
#include "settings/filename.h"

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
		.started = clock_monotonic(),
		.monotonic_to_epoch = clock_offset(CLOCK_REALTIME, CLOCK_MONOTONIC),
	};
	forks_watch();
	return 0;
}

/* Also notifies the tool, which then prints why there is no log. */
static void tell_no_memory(void)
{
	say_no_memory();
	manifest_add_lost();
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
		tell_no_memory();
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
	struct strbuf frames = STRBUF_INIT;

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
	rules_put_frame(&frames, globals.settings[api], globals.forked);
	registry_store(&frames);
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

/* Memory was requested, and there is none that can be used. */
static void say_other_place(const struct settings *settings, const char *path)
{
	static const char memory[] = RINGFILE_SHARED_MEMORY "/";
	static int said;

	if (settings->ring == RING_IN_MEMORY && strncmp(path, memory, sizeof(memory) - 1) != 0)
		say_once(&said, "COMPUTE_PROFILE_RING=memory: /dev/shm cannot be used, so %s%.300s",
			 *path ? "the ring file is " : "there is no ring file", path);
}

/* Determines a log's path, for the directory of the ring file; without a log, a trace's. */
static int ringfile_open(struct session *session)
{
	const struct settings *settings = NULL;
	struct strbuf path = STRBUF_INIT;
	const char *beside;
	int result;

	for (int api = 0; api < API_COUNT && !settings; api++)
		settings = globals.settings[api];
	if (settings->trace && !strcmp(settings->log, "/dev/null"))
		beside = settings->trace;
	else
		beside = settings->log;
	filename_expand(&path, beside, 0, (uint32_t)getpid());
	result = ringfile_create(&session->ringfile, strbuf_text(&path), settings->ring);
	strbuf_free(&path);
	if (!result)
		say_other_place(settings, session->ringfile.path);
	return result;
}

/* Frees the session's memory; the next record tries again. */
static void give_back(struct session *session)
{
	ringfile_unlink(&session->ringfile);
	ringfile_free(&session->ringfile);
	pending_free(&session->pending);
	memory_unmap(session->worked, CATALOG_CONTEXTS);
	memory_unmap(session, sizeof(*session));
}

/* Reads the present data of the process: a forked child may have changed its arguments. */
static void learn_process(const struct session *session)
{
	struct process *process = &globals.catalog.process;
	char *command = catalog_command(&globals.catalog);

	_Static_assert(sizeof(process->boot) == sizeof(session->ringfile.header->boot),
		       "the boot is copied");
	memcpy(process->boot, session->ringfile.header->boot, sizeof(process->boot));
	process->command_length =
		command ? (uint32_t)identity_command(command, PROCESS_COMMAND) : 0;
}

/* With meta held. */
static struct session *create(void)
{
	struct session *session = memory_map(sizeof(*session));

	if (!session)
		return NULL;
	session->ringfile.file = FILE_CLOSED;
	session->worked = memory_map(CATALOG_CONTEXTS);
	if (!session->worked || ringfile_open(session) || pending_init(&session->pending) ||
	    logs_init(&session->logs, &globals.catalog, globals.settings, &session->ringfile)) {
		give_back(session);
		return NULL;
	}
	session->logs.forked = globals.forked;
	session->logs.born = ringfile_process_start(&session->ringfile);
	for (int api = 0; api < API_COUNT; api++)
		if (globals.settings[api] && globals.settings[api]->metrics.directory)
			session->notes_copies = true;
	learn_process(session);
	registry_store_all(session);
	return session;
}

/* Exit handlers run in reverse order: registered now, this one runs before the driver's. */
static void stop_at_exit(void)
{
	static bool registered;

	if (!registered)
		registered = !atexit(session_stop);
}

/* Prints the consequence of a missing ring file. */
static void tell_no_ring(const struct session *session)
{
	int error = session->ringfile.error;

	say("if this process is killed, its last rows will be missing: no ring file can be made: "
	    "%s",
	    error ? file_reason(error) : "no directory is suitable");
}

/* Returns true if no API has a log, and so nothing has to be recovered. */
static bool log_is_off(void)
{
	for (int api = 0; api < API_COUNT; api++)
		if (globals.settings[api] && globals.settings[api]->ring != RING_NONE)
			return false;
	return true;
}

static void begin(const struct session *session)
{
	bool has_ring = session->ringfile.path[0];

	if (!has_ring && log_is_off())
		return;
	if (!has_ring)
		tell_no_ring(session);
	session_note_begin(session);
}

struct session *session_start(void)
{
	struct session *session;
	uint64_t begun;

	if (globals.pid != getpid())
		session_forked(); /* a child of a raw clone(), which runs no fork handler */
	meta_lock();
	session = atomic_load(&globals.ended) ? NULL : globals.session;
	if (!session && !atomic_load(&globals.ended)) {
		begun = overhead_begin();
		session = create();
		globals.session = session;
		if (session) {
			session->ringfile.header->lost = atomic_load(&globals.lost);
			session->ringfile.header->gaps = atomic_load(&globals.gaps);
			thread_set_live(session);
			/* If the start of the process is unknown, the locks of the logs must
			 * survive an exec. */
			tsan_look();
			filethread_start(session->logs.born);
			writer_start(session);
			begin(session);
			stop_at_exit();
			session_overhead(OVERHEAD_RESOURCE, begun, 0);
		}
	}
	meta_unlock();
	if (!session && !atomic_load(&globals.ended))
		tell_no_memory();
	return session;
}

void session_write_ended(void (*look)(const struct record *pending, void *argument), void *argument)
{
	struct session *session = thread_live_session();
	uint64_t begun = overhead_begin();

	if (!session || !drain_lock())
		return;
	overhead_round(session, overhead_thread(), begun, writer_round(session, false), false);
	writer_flush_rows(session);
	for (uint32_t i = 0; look && i < session->logs.count; i++)
		for (uint32_t at = session->logs.files[i].order.first; at;
		     at = session->pending.links[PENDING_ORDER][at].next)
			look(pending_record(&session->pending, at), argument);
	drain_unlock();
}
