/* SPDX-License-Identifier: MIT */
#include "session/registry.h"

#include <string.h>

#include "base/say.h"
#include "session/locks.h"
#include "session/rules.h"
#include "session/session.h"
#include "session/state.h"
#include "session/thread.h"

/* Adds names, devices, contexts and counter sets to the catalog and, for recovery, a ring file. */
enum {
	NAME_BYTES = 32 << 20,
	TEXT_BYTES = 32 << 20,
	TEXTS = (1 << 19) - 1, /* half of all ids */
	KEPT_BYTES = 1 << 16,  /* of the buffer */
	CONTENT_BYTES = 2 << 20,
	CONTENTS = 4096,
};

const struct catalog *session_catalog(void)
{
	return &globals.catalog;
}

/* One buffer for all: unmapping one interrupts each processor that runs a thread of the program. */
static struct strbuf new_frames;

struct strbuf *registry_frames(void)
{
	return &new_frames;
}

static void store(struct session *session)
{
	if (!new_frames.length && !new_frames.failed)
		return;
	if (session && !new_frames.failed)
		ringfile_frames(&session->ringfile, &new_frames);
	if (new_frames.capacity > KEPT_BYTES)
		strbuf_free(&new_frames);
	new_frames.length = 0;
	new_frames.failed = false;
}

void registry_store(void)
{
	store(thread_live_session());
}

static void tell_names(struct session *session)
{
	uint32_t count = names_count(globals.catalog.names);

	while (session && session->names_stored < count)
		frames_put_name(&new_frames, globals.catalog.names, ++session->names_stored);
}

/*
 * Texts stay in memory and in the ring file until the process ends. The number of texts of marks
 * and command buffers is unlimited, so they must leave room for the names of kernels.
 */
static struct names_room names_left = {.texts = UINT32_MAX, .bytes = NAME_BYTES};
static struct names_room texts_left = {.texts = TEXTS, .bytes = TEXT_BYTES};
static struct names_room contents_left = {.texts = CONTENTS, .bytes = CONTENT_BYTES};

uint32_t registry_text(const char *text, size_t length)
{
	uint32_t id = names_intern_within(globals.catalog.names, text, length, &texts_left);

	tell_names(thread_live_session());
	return id;
}

static uint32_t intern(const char *text, size_t length, struct names_room *room)
{
	uint32_t id;

	/* With meta held, a fork cannot copy a half-changed table to the child. */
	meta_lock();
	id = names_intern_within(globals.catalog.names, text, length, room);
	tell_names(thread_live_session());
	registry_store();
	meta_unlock();
	return id;
}

uint32_t session_name(const char *text, size_t length)
{
	uint32_t id = intern(text, length, &names_left);

	if (!id)
		atomic_fetch_add(&globals.names_refused, 1);
	return id;
}

const char *session_name_text(uint32_t id)
{
	size_t length;

	return names_text(globals.catalog.names, id, &length);
}

uint32_t session_text(const char *text, size_t length)
{
	static const char none[] = "[text not recorded]";
	uint32_t id = intern(text, length, &texts_left);

	if (id)
		return id;
	atomic_fetch_add(&globals.texts_refused, 1);
	return intern(none, strlen(none), NULL);
}

uint32_t session_contents(const char *text, size_t length)
{
	return intern(text, length, &contents_left);
}

void registry_report_refused(void)
{
	unsigned long long names = atomic_exchange(&globals.names_refused, 0);
	unsigned long long texts = atomic_exchange(&globals.texts_refused, 0);
	unsigned long long stacks = atomic_exchange(&globals.stacks_refused, 0);

	if (names)
		say("%llu %s of kernels %s not recorded: the limit for all names is %d MiB", names,
		    names == 1 ? "name" : "names", names == 1 ? "was" : "were", NAME_BYTES >> 20);
	if (stacks)
		say("%llu call %s cut off: the limit is %d frames that differ", stacks,
		    stacks == 1 ? "stack was" : "stacks were", STACK_NODES);
	if (texts)
		say("%llu %s of NVTX %s not recorded: the limit for all texts is %d MiB", texts,
		    texts == 1 ? "text" : "texts", texts == 1 ? "was" : "were", TEXT_BYTES >> 20);
}

uint32_t session_device(const struct device *device)
{
	int id;

	meta_lock();
	/* Traces have the names of devices among the others. */
	names_intern(globals.catalog.names, device->name, strlen(device->name));
	id = catalog_add_device(&globals.catalog, device);
	tell_names(thread_live_session());
	if (id >= 0)
		frames_put_device(&new_frames, catalog_device(&globals.catalog, (uint32_t)id));
	registry_store();
	meta_unlock();
	return (uint32_t)id;
}

uint32_t session_context(const struct context *context)
{
	int id;

	meta_lock();
	id = catalog_add_context(&globals.catalog, context);
	if (id >= 0)
		frames_put_context(&new_frames, catalog_context(&globals.catalog, (uint32_t)id));
	registry_store();
	meta_unlock();
	return (uint32_t)id;
}

int session_counters(const struct counter_set *set)
{
	int id;

	meta_lock();
	id = catalog_add_counters(&globals.catalog, set);
	if (id >= 0)
		frames_put_counters(&new_frames, catalog_counters(&globals.catalog, (uint32_t)id));
	registry_store();
	meta_unlock();
	return id < 0 ? -1 : 0;
}

void registry_store_all(struct session *session)
{
	const struct catalog *catalog = &globals.catalog;

	frames_put_process(&new_frames, &catalog->process);
	for (int api = 0; api < API_COUNT; api++)
		if (globals.settings[api])
			rules_put_frame(&new_frames, globals.settings[api], globals.forked);
	tell_names(session);
	for (uint32_t i = 1; i <= catalog->stacks.module_count; i++)
		frames_put_module(&new_frames, &catalog->stacks, i);
	for (uint32_t i = 1; i <= catalog->stacks.node_count; i++)
		frames_put_stack(&new_frames, &catalog->stacks, i);
	for (uint32_t i = 0; i < catalog->device_count; i++)
		frames_put_device(&new_frames, catalog_device(catalog, i));
	for (uint32_t i = 0; i < catalog->context_count; i++)
		frames_put_context(&new_frames, catalog_context(catalog, i));
	for (uint32_t i = 0; i < catalog->counters_count; i++)
		frames_put_counters(&new_frames, catalog_counters(catalog, i));
	store(session);
}
