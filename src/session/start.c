/* SPDX-License-Identifier: MIT */
#include "session/start.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/tsan.h"
#include "model/api.h"
#include "session/forks.h"
#include "session/identity.h"
#include "session/locks.h"
#include "session/logfile.h"
#include "session/manifest.h"
#include "session/overhead.h"
#include "session/registry.h"
#include "session/ringfile_path.h"
#include "session/shutdown.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/writer.h"
#include "settings/filename.h"

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
	identity_mark_clock(process->boot);
	process->command_length =
		command ? (uint32_t)identity_command(command, PROCESS_COMMAND) : 0;
}

/* With meta held. */
static struct session *create(void)
{
	struct session *session = memory_map(sizeof(*session));

	if (!session)
		return NULL;
	session->ringfile = (struct ringfile){RINGFILE_CLOSED};
	session->worked = memory_map(CATALOG_CONTEXTS);
	if (!session->worked || ringfile_open(session) || pending_init(&session->pending) ||
	    logs_init(&session->logs, &globals.catalog, globals.settings, &session->ringfile)) {
		give_back(session);
		return NULL;
	}
	session->logs.pending = &session->pending;
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
		manifest_tell_no_memory();
	return session;
}
