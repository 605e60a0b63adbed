/* SPDX-License-Identifier: MIT */
#include "view/timeline/perfetto_stacks.h"

#include <stdlib.h>

#include "model/stacks.h"
#include "output/escape.h"
#include "view/format/protobuf.h"
#include "view/timeline/perfetto_field.h"
#include "view/timeline/perfetto_packet.h"

/* Frame of a file: its number in Perfetto is 1 + its number in perfetto_stacks.places. */
struct place {
	uint32_t name; /* in flame.names, as the next one */
	uint32_t file; /* 0: not known */
	uint32_t line;
	uint32_t module; /* 0: none */
	uint64_t address;
};

static void add_message(void *stream, const char *text)
{
	stream_put_message(stream, text);
}

/* Returns false without memory. */
static bool open_stacks(struct timeline *timeline, struct perfetto_stacks *stacks)
{
	const struct keyed numbers = {.key_size = 4, .entry_size = 4};

	if (stacks->opened)
		return stacks->frames;
	stacks->opened = true;
	stacks->functions = stacks->paths = numbers;
	stacks->mappings = stacks->callstacks = numbers;
	stacks->places = (struct keyed){.key_size = sizeof(struct place),
					.entry_size = sizeof(struct place)};
	if (!flame_open(&stacks->flame))
		stacks->frames = stackframes_new(&stacks->flame, timeline->catalog, add_message,
						 timeline->stream);
	timeline->sink.text.failed |= !stacks->frames;
	return stacks->frames;
}

void perfetto_stacks_free(struct perfetto_stacks *stacks)
{
	if (!stacks->opened)
		return;
	stackframes_free(stacks->frames);
	flame_free(&stacks->flame);
	keyed_free(&stacks->functions);
	keyed_free(&stacks->paths);
	keyed_free(&stacks->mappings);
	keyed_free(&stacks->places);
	keyed_free(&stacks->callstacks);
}

/* Returns true if the key is not in the table, and adds it. */
static bool is_new(struct strbuf *to, struct keyed *table, const void *key)
{
	uint32_t before = table->count, number = keyed_get(table, key);

	to->failed |= number == KEYED_FULL;
	return number == before && number != KEYED_FULL;
}

static void put_interned(struct strbuf *to, enum perfetto_field list, uint64_t id,
			 const void *bytes, size_t size)
{
	size_t begun = protobuf_begin(to, list);

	protobuf_number(to, INTERNED_IID, id);
	protobuf_bytes(to, INTERNED_NAME, bytes, size);
	protobuf_end(to, begun);
}

/* Writes a text of flame.names unless it has been written. */
static void put_name(struct strbuf *to, struct perfetto_stacks *stacks, struct keyed *written,
		     enum perfetto_field list, uint32_t name)
{
	size_t length;
	const char *text = names_text(stacks->flame.names, name, &length);

	if (name && is_new(to, written, &name))
		put_interned(to, list, name, text, length);
}

/* Perfetto puts a slash before each part of a path. */
static void put_path(struct strbuf *to, uint32_t module, const char *path, size_t length)
{
	size_t slash = length && *path == '/';
	struct strbuf escaped = STRBUF_INIT;

	escape_put(&escaped, path + slash, length - slash, ESCAPE_TEXT);
	put_interned(to, INTERNED_MAPPING_PATHS, module, escaped.data, escaped.length);
	to->failed |= escaped.failed;
	strbuf_free(&escaped);
}

static void put_mapping(struct strbuf *to, struct perfetto_stacks *stacks,
			const struct stacks *table, uint32_t id)
{
	const struct stack_module *module = stacks_module(table, id);
	size_t begun;

	if (!module || !is_new(to, &stacks->mappings, &id))
		return;
	put_path(to, id, module->path, module->length);
	if (module->build_id_length)
		put_interned(to, INTERNED_BUILD_IDS, id, module->build_id,
			     module->build_id_length);
	begun = protobuf_begin(to, INTERNED_MAPPINGS);
	protobuf_number(to, INTERNED_IID, id);
	if (module->build_id_length)
		protobuf_number(to, MAPPING_BUILD_ID, id);
	protobuf_number(to, MAPPING_PATH, id);
	protobuf_end(to, begun);
}

/* Returns the number of the frame, which has been written then; 0 without memory. */
static uint64_t put_frame(struct strbuf *to, struct perfetto_stacks *stacks,
			  const struct stacks *table, const struct flame_frame *frame)
{
	const struct place place = {.name = frame->name, .file = frame->file, .line = frame->line,
				    .module = frame->module, .address = frame->address};
	uint32_t before = stacks->places.count, number = keyed_get(&stacks->places, &place);
	size_t begun;

	if (number == KEYED_FULL || number < before)
		return number == KEYED_FULL ? 0 : number + 1;
	put_name(to, stacks, &stacks->functions, INTERNED_FUNCTIONS, place.name);
	put_name(to, stacks, &stacks->paths, INTERNED_SOURCE_PATHS, place.file);
	put_mapping(to, stacks, table, place.module);
	begun = protobuf_begin(to, INTERNED_FRAMES);
	protobuf_number(to, INTERNED_IID, number + 1);
	protobuf_number(to, FRAME_FUNCTION, place.name);
	if (place.module) {
		protobuf_number(to, FRAME_MAPPING, place.module);
		protobuf_number(to, FRAME_ADDRESS, place.address);
	}
	if (place.file)
		protobuf_number(to, FRAME_SOURCE_PATH, place.file);
	if (place.line)
		protobuf_number(to, FRAME_LINE, place.line);
	protobuf_end(to, begun);
	return number + 1;
}

/* The outermost frame is the first one. */
static void put_callstack(struct strbuf *to, struct perfetto_stacks *stacks,
			  const struct stacks *table, uint32_t frame)
{
	uint32_t *path = calloc(stacks->flame.frames.count, sizeof(*path));
	size_t depth = path ? flame_path(&stacks->flame.frames, frame, path) : 0, begun;

	to->failed |= !path;
	for (size_t i = 0; i < depth; i++)
		path[i] = (uint32_t)put_frame(to, stacks, table,
					      flame_frame(&stacks->flame, path[i]));
	begun = protobuf_begin(to, INTERNED_CALLSTACKS);
	protobuf_number(to, INTERNED_IID, frame);
	while (depth--)
		protobuf_number(to, CALLSTACK_FRAME, path[depth]);
	protobuf_end(to, begun);
	free(path);
}

/* Writes a call stack unless it has been written. `frame`: 1 + the number of the innermost frame,
 * which is the number of the stack, too; 0 without memory. */
static uint64_t write_stack(struct timeline *timeline, struct perfetto_stacks *stacks,
			    uint32_t frame)
{
	struct strbuf *to = &timeline->sink.text;
	size_t packet, part;

	to->failed |= !frame;
	if (!frame || !is_new(to, &stacks->callstacks, &frame))
		return frame;
	packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	part = protobuf_begin(to, PACKET_INTERNED_DATA);
	put_callstack(to, stacks, &timeline->catalog->stacks, frame);
	protobuf_end(to, part);
	protobuf_end(to, packet);
	return frame;
}

static uint32_t stack_of(const struct timeline_event *event)
{
	if (event->record)
		return event->record->frame.stack;
	return event->call ? event->call->frame.stack : event->other->stack;
}

uint64_t perfetto_stacks_of(struct timeline *timeline, struct perfetto_stacks *stacks,
			    const struct timeline_event *event)
{
	uint32_t stack = stack_of(event);

	if (!stacks_node(&timeline->catalog->stacks, stack) || !open_stacks(timeline, stacks))
		return 0;
	return write_stack(timeline, stacks, stackframes_of_call(stacks->frames, stack));
}

void perfetto_stacks_put_sample(struct timeline *timeline, struct perfetto_stacks *stacks,
				const struct sample *sample)
{
	struct strbuf *to = &timeline->sink.text;
	uint64_t stack, time = sample->enter + (uint64_t)timeline->process.monotonic_to_epoch;
	size_t packet, part;

	/* The command has the time of this one. */
	if (sample->frame.flags & SAMPLE_DEVICE || !open_stacks(timeline, stacks))
		return;
	stack = write_stack(timeline, stacks,
			    stackframes_of_sample(stacks->frames, sample->frame.stack));
	stacks->cpu_time += sample->weight;
	packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	protobuf_number(to, PACKET_TIMESTAMP, timeline_moment(timeline, time));
	part = protobuf_begin(to, PACKET_PERF_SAMPLE);
	protobuf_number(to, SAMPLE_PID, timeline->process.pid);
	protobuf_number(to, SAMPLE_TID, sample->frame.thread);
	protobuf_number(to, SAMPLE_CALLSTACK, stack);
	protobuf_number(to, SAMPLE_MODE, MODE_USER);
	protobuf_number(to, SAMPLE_TIMEBASE, stacks->cpu_time);
	protobuf_end(to, part);
	protobuf_end(to, packet);
}
