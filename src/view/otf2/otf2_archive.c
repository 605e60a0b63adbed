/* SPDX-License-Identifier: MIT */
#include "view/otf2/otf2_archive.h"

#include <stdlib.h>
#include <string.h>

#include "view/folder.h"

_Static_assert(sizeof(struct otf2_event) + OTF2_VALUES * 12 <= SORT_ITEM_MOST,
	       "an event can be sorted");

/* The chunks of one buffer: what the library has in memory before it writes. */
enum { CHUNKS = 4 };
struct chunks {
	uint64_t size;
	unsigned count;
	void *chunk[CHUNKS];
};

/* Unused chunks of the two sizes, for the next buffers: a new one costs more than the few events
 * that most locations have. */
struct pool {
	struct chunks of_events, of_definitions;
};

/* The end of an event that contains the following ones. */
struct open_event {
	uint64_t end;
	uint32_t region;
};

struct writing {
	const struct otf2_archive_input *input;
	struct otf2_archive *archive;
	struct otf2_values *values;
	struct otf2_events *events; /* of `location` */
	struct otf2_location *location;
	struct strbuf open; /* struct open_event: the events that contain each other */
	int code;	    /* the library's first error, or 0 */
	bool no_memory;
	struct pool pool;
};

static int hear(void *data, const char *file, uint64_t line, const char *function, int code,
		const char *format, va_list arguments)
{
	struct writing *writing = data;

	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)arguments;
	if (code > 0 && !writing->code)
		writing->code = code;
	return code;
}

static uint8_t before_flush(void *data, uint8_t file, uint64_t location, void *caller, bool last)
{
	(void)data;
	(void)file;
	(void)location;
	(void)caller;
	(void)last;
	return OTF2_FLUSH;
}

static struct chunks *unused(struct pool *pool, uint64_t size)
{
	return size == OTF2_CHUNK_LEAST ? &pool->of_events : &pool->of_definitions;
}

static void *allocate(void *data, uint8_t file, uint64_t location, void **own, uint64_t size)
{
	struct chunks *chunks = *own, *others = unused(data, size);
	void *chunk;

	(void)file;
	(void)location;
	if (!chunks)
		*own = chunks = calloc(1, sizeof(*chunks));
	if (!chunks || chunks->count == CHUNKS)
		return NULL;
	chunks->size = size;
	chunk = others->count ? others->chunk[--others->count] : malloc(size);
	if (chunk)
		chunks->chunk[chunks->count++] = chunk;
	return chunk;
}

static void free_all(void *data, uint8_t file, uint64_t location, void **own, bool last)
{
	struct chunks *chunks = *own, *others;

	(void)file;
	(void)location;
	while (chunks && chunks->count) {
		others = unused(data, chunks->size);
		if (others->count < CHUNKS)
			others->chunk[others->count++] = chunks->chunk[--chunks->count];
		else
			free(chunks->chunk[--chunks->count]);
	}
	if (last) {
		free(chunks);
		*own = NULL;
	}
}

static void free_pool(struct pool *pool)
{
	while (pool->of_events.count)
		free(pool->of_events.chunk[--pool->of_events.count]);
	while (pool->of_definitions.count)
		free(pool->of_definitions.chunk[--pool->of_definitions.count]);
}

static bool has_failed(const struct writing *writing)
{
	return writing->code || writing->no_memory || writing->input->definitions->failed;
}

/* Leaves the events that end until then, the innermost first. */
static void leave_until(struct writing *writing, uint64_t time)
{
	struct strbuf *open = &writing->open;
	struct open_event last;

	while (open->length) {
		memcpy(&last, open->data + open->length - sizeof(last), sizeof(last));
		if (last.end > time)
			return;
		otf2.EvtWriter_Leave(writing->events, NULL, last.end, last.region);
		writing->location->events++;
		open->length -= sizeof(last);
	}
}

static void end_location(struct writing *writing)
{
	if (!writing->events)
		return;
	leave_until(writing, UINT64_MAX);
	otf2.Archive_CloseEvtWriter(writing->archive, writing->events);
	writing->events = NULL;
}

static void begin_location(struct writing *writing, size_t index)
{
	size_t count;
	struct otf2_location *locations = otf2_locations(writing->input->definitions, &count);

	if (writing->events && writing->location == &locations[index])
		return;
	end_location(writing);
	writing->location = &locations[index];
	writing->events = otf2.Archive_GetEvtWriter(writing->archive, writing->location->number);
	writing->no_memory |= !writing->events;
}

static void put_value(struct writing *writing, uint32_t attribute, uint64_t bits)
{
	double real;

	switch (otf2_attribute_type(writing->input->definitions, attribute)) {
	case OTF2_DOUBLE:
		memcpy(&real, &bits, sizeof(real));
		otf2.AttributeList_AddDouble(writing->values, attribute, real);
		return;
	case OTF2_INT64:
		otf2.AttributeList_AddInt64(writing->values, attribute, (int64_t)bits);
		return;
	case OTF2_STRING:
		otf2.AttributeList_AddStringRef(writing->values, attribute, (uint32_t)bits);
		return;
	case OTF2_UINT64:
	default: /* not reached: -Wswitch-enum */
		otf2.AttributeList_AddUint64(writing->values, attribute, bits);
		return;
	}
}

static void enter(struct writing *writing, uint64_t start, const struct otf2_event *event)
{
	const uint64_t *values = (const void *)(event + 1);
	const uint32_t *attributes = (const void *)(values + event->count);
	struct open_event inner = {.end = event->end, .region = event->region}, outer;

	/* Ranges of a damaged file may claim not to nest. */
	if (writing->open.length) {
		memcpy(&outer, writing->open.data + writing->open.length - sizeof(outer),
		       sizeof(outer));
		inner.end = inner.end < outer.end ? inner.end : outer.end;
	}
	for (uint32_t i = 0; i < event->count; i++)
		put_value(writing, attributes[i], values[i]);
	otf2.EvtWriter_Enter(writing->events, writing->values, start, event->region);
	writing->location->events++;
	strbuf_append(&writing->open, &inner, sizeof(inner));
	writing->no_memory |= writing->open.failed;
}

static void put_metric(struct writing *writing, uint64_t time, uint64_t value)
{
	static const uint8_t type = OTF2_UINT64;

	otf2.EvtWriter_Metric(writing->events, NULL, time, writing->location->metric, 1, &type,
			      &value);
	writing->location->events++;
}

static int write_events(struct writing *writing, struct strbuf *error)
{
	struct sort_item item;
	int found = 0;

	otf2.Archive_OpenEvtFiles(writing->archive);
	while (!has_failed(writing) &&
	       (found = external_sort_next(writing->input->sort, &item, error)) > 0) {
		const struct otf2_event *event = item.bytes;

		begin_location(writing, item.key);
		if (has_failed(writing))
			break;
		leave_until(writing, item.second);
		if (writing->location->type == OTF2_METRICS)
			put_metric(writing, item.second, event->end);
		else
			enter(writing, item.second, event);
	}
	if (!writing->location && !has_failed(writing)) /* of an archive without events */
		begin_location(writing, 0);
	end_location(writing);
	otf2.Archive_CloseEvtFiles(writing->archive);
	return found < 0 ? -1 : 0;
}

/* Readers need a file of each location's own definitions, although there are none. */
static void write_local(struct writing *writing)
{
	struct otf2_local *local;
	size_t count;

	otf2_locations(writing->input->definitions, &count);
	otf2.Archive_OpenDefFiles(writing->archive);
	for (size_t i = 0; i < count && !has_failed(writing); i++) {
		local = otf2.Archive_GetDefWriter(writing->archive, i);
		writing->no_memory |= !local;
		if (local)
			otf2.Archive_CloseDefWriter(writing->archive, local);
	}
	otf2.Archive_CloseDefFiles(writing->archive);
}

static void write_global(struct writing *writing)
{
	const struct otf2_archive_input *input = writing->input;
	struct otf2_global *global = otf2.Archive_GetGlobalDefWriter(writing->archive);

	writing->no_memory |= !global;
	if (!global)
		return;
	otf2_definitions_write(input->definitions, global, &input->clock);
	otf2.Archive_CloseGlobalDefWriter(writing->archive, global);
	otf2.Archive_SetCreator(writing->archive, input->creator);
	otf2.Archive_SetDescription(writing->archive, input->description);
	for (const struct otf2_property *property = input->properties; property->name; property++)
		otf2.Archive_SetProperty(writing->archive, property->name, property->value, true);
}

static void write_all(struct writing *writing, struct strbuf *error)
{
	static const struct otf2_flush flush = {.before = before_flush};
	static const struct otf2_memory memory = {.allocate = allocate, .free_all = free_all};

	otf2.Archive_SetFlushCallbacks(writing->archive, &flush, NULL);
	otf2.Archive_SetMemoryCallbacks(writing->archive, &memory, &writing->pool);
	otf2.Archive_SetSerialCollectiveCallbacks(writing->archive);
	if (write_events(writing, error))
		return;
	if (!has_failed(writing))
		write_local(writing);
	if (!has_failed(writing))
		write_global(writing);
}

/* Returns -1 after an error. That of the sort has its sentence. */
static int tell(const struct writing *writing, const char *folder, struct strbuf *error)
{
	const char *reason =
		writing->code ? otf2.Error_GetDescription(writing->code) : "out of memory";

	if (error->length)
		return -1;
	if (!has_failed(writing))
		return 0;
	strbuf_printf(error, "cannot write %s: %s", folder, reason);
	return -1;
}

int otf2_archive_write(const char *folder, const struct otf2_archive_input *input,
		       struct strbuf *error)
{
	struct writing writing = {.input = input};
	otf2_heard before = otf2.Error_RegisterCallback(hear, &writing);

	writing.no_memory = otf2_definitions_sort(input->definitions);
	writing.values = otf2.AttributeList_New();
	writing.archive = otf2.Archive_Open(folder, FOLDER_NAME, OTF2_WRITE, OTF2_CHUNK_LEAST,
					    OTF2_CHUNK_USUAL, OTF2_POSIX, OTF2_PLAIN);
	writing.no_memory |= !writing.values || !writing.archive;
	if (!has_failed(&writing))
		write_all(&writing, error);
	if (writing.archive)
		otf2.Archive_Close(writing.archive);
	if (writing.values)
		otf2.AttributeList_Delete(writing.values);
	free_pool(&writing.pool);
	strbuf_free(&writing.open);
	otf2.Error_RegisterCallback(before, NULL);
	return tell(&writing, folder, error);
}
