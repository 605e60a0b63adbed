/* SPDX-License-Identifier: MIT */
/* Reads a stream into a flame graph. */
#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "model/frames.h"
#include "model/stacks.h"
#include "view/format/demangle.h"
#include "view/format/label.h"
#include "view/stacks/flame.h"
#include "view/stacks/stackframes.h"
#include "view/stacks/waits.h"

/* An entry of `sums`: the time of one kind of work, waits or samples below one stack. */
struct part_sum {
	uint32_t stack; /* 0: not known */
	uint32_t thread;
	uint32_t device; /* 1 + its id; 0: none */
	uint32_t kind;	 /* enum frame_kind, and the memories of a copy or the kind of a wait */
	uint32_t name;	 /* of a kernel */
	uint32_t padding;
	/* After the key: */
	uint64_t time;
	uint64_t count;
};

/* One part of the stream, a process. */
struct flame_part {
	struct flame *flame;
	struct stream *stream; /* for messages */
	const struct catalog *catalog;
	struct stackframes *stacks;
	struct keyed sums;
	struct waits waits;
};

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the call stacks");
	return -1;
}

static int add(struct flame_part *part, const struct part_sum *key, uint64_t time)
{
	uint32_t number = keyed_get(&part->sums, key);
	struct part_sum *sum;

	if (number == KEYED_FULL)
		return -1;
	sum = keyed_at(&part->sums, number);
	sum->time = amount_add(sum->time, time);
	sum->count++;
	return 0;
}

static uint32_t stack_of(const struct flame_part *part, const struct frame *frame)
{
	return stacks_node(&part->catalog->stacks, frame->stack) ? frame->stack : 0;
}

static uint32_t kind_of(uint32_t kind, uint8_t source, uint8_t target)
{
	return kind == FRAME_COPY ? kind | (uint32_t)source << 8 | (uint32_t)target << 16 : kind;
}

static int add_record(struct flame_part *part, const struct record *record)
{
	const struct part_sum key = {
		.stack = stack_of(part, &record->frame),
		.thread = record->frame.thread,
		.device = 1 + record->device,
		.kind = kind_of(record->frame.kind, record->source, record->target),
		.name = record->frame.kind == FRAME_KERNEL ? record->name : 0,
	};

	if (flame_options.mode != FLAME_GPU_ONLY &&
	    waits_add_record(&part->waits, record, part->catalog->process.monotonic_to_epoch))
		return -1;
	if (flame_options.mode == FLAME_CPU_ONLY)
		return 0;
	part->flame->records++;
	part->flame->matched += key.stack != 0;
	return add(part, &key, amount_duration(record));
}

static int add_sample(struct flame_part *part, const struct sample *sample)
{
	const struct part_sum key = {
		.stack = stack_of(part, &sample->frame),
		.thread = sample->frame.thread,
		.kind = FRAME_SAMPLE,
	};

	if (sample->frame.flags & SAMPLE_DEVICE) {
		part->flame->on_device++;
		return 0;
	}
	part->flame->samples++;
	return add(part, &key, sample->weight);
}

static int add_wait(struct flame_part *part, const struct wait *wait)
{
	const struct part_sum key = {
		.stack = stack_of(part, &wait->frame),
		.thread = wait->frame.thread,
		.kind = FRAME_WAIT | (uint32_t)wait->kind << 8,
	};
	int result = waits_add(&part->waits, wait);

	part->flame->waits++;
	return result > 0 ? add(part, &key, amount_between(wait->enter, wait->leave)) : result;
}

static int add_frame(struct flame_part *part, const struct frame *frame)
{
	const void *at = frame;

	if (frames_is_record(frame))
		return add_record(part, at);
	if (flame_options.mode == FLAME_GPU_ONLY)
		return 0;
	part->flame->has_calls |= frame->kind == FRAME_CALL;
	if (frame->kind == FRAME_SAMPLE)
		return add_sample(part, at);
	if (frame->kind != FRAME_WAIT || !amount_is_host_wait(at))
		return 0;
	return add_wait(part, at);
}

int flame_part_add(struct flame_part *part, const struct frame *frame, struct strbuf *error)
{
	return add_frame(part, frame) ? no_memory(error) : 0;
}

/* Appends the name of a kernel, copy or fill, after `before`. */
static void put_command(struct strbuf *to, const struct flame_part *part, uint32_t kind,
			uint32_t name)
{
	const struct record record = {.source = kind >> 8 & 0xff, .target = kind >> 16 & 0xff};
	const char *direction = label_direction(&record), *text;
	size_t length;

	if ((kind & 0xff) == FRAME_FILL) {
		strbuf_string(to, "memset");
		return;
	}
	if ((kind & 0xff) == FRAME_COPY) {
		strbuf_printf(to, "memcpy%s%s", *direction ? " " : "", direction);
		return;
	}
	text = names_text(part->catalog->names, name, &length);
	if (!length)
		strbuf_string(to, "unknown_kernel");
	else if (flame_options.mangled || !demangle(to, text, length, false))
		strbuf_append(to, text, length);
}

/* `end`: the command that was waited for, or NULL. */
static void put_wait_leaf(struct strbuf *to, const struct flame_part *part,
			  const struct wait_end *end, uint32_t kind)
{
	static const char *const words[] = {
		[WAIT_FOR_EVENT] = "event",
		[WAIT_STREAM_FOR_EVENT] = "event",
		[WAIT_FOR_STREAM] = "stream",
		[WAIT_FOR_CONTEXT] = "context",
	};

	strbuf_string(to, "[CPU_wait]");
	if (end)
		put_command(to, part, kind_of(end->kind, end->source, end->target), end->name);
	else if (kind && kind < sizeof(words) / sizeof(words[0]))
		strbuf_string(to, words[kind]);
}

static void put_leaf(struct strbuf *to, const struct flame_part *part, const struct part_sum *sum)
{
	bool kernel = sum->kind == FRAME_KERNEL;

	if ((sum->kind & 0xff) == FRAME_WAIT) {
		put_wait_leaf(to, part, NULL, sum->kind >> 8);
		return;
	}
	strbuf_string(to, kernel ? "[GPU_Kernel]" : "[GPU_");
	put_command(to, part, sum->kind, sum->name);
	strbuf_string(to, kernel ? "" : "]");
}

/* Returns the id of the device's name in flame->names. */
static uint32_t device_name(const struct flame_part *part, uint32_t device)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t id;

	label_device(&text, part->catalog, device);
	id = names_intern(part->flame->names, strbuf_text(&text), text.length);
	strbuf_free(&text);
	return id;
}

/* Adds `time` below a stack, in a frame of the text, if it is not empty. */
static int add_leaf(struct flame_part *part, uint32_t frame, struct strbuf *leaf,
		    struct flame_sum *sum)
{
	if (frame && leaf->length)
		frame = flame_add_frame(part->flame, frame, leaf->data, leaf->length, NULL, 0);
	sum->frame = frame;
	return frame && !leaf->failed ? flame_add_sum(part->flame, sum) : -1;
}

static enum flame_class class_of(uint32_t kind)
{
	if ((kind & 0xff) == FRAME_WAIT)
		return FLAME_WAIT;
	return kind == FRAME_SAMPLE ? FLAME_CPU : FLAME_GPU;
}

static int put_sum(struct flame_part *part, const struct part_sum *from)
{
	bool sample = from->kind == FRAME_SAMPLE;
	struct flame_sum sum = {
		.thread = from->thread,
		.device = from->device ? device_name(part, from->device - 1) : 0,
		.class = class_of(from->kind),
		.time = from->time,
		.count = from->count,
	};
	struct strbuf leaf = STRBUF_INIT;
	uint32_t frame;
	int result;

	if (!sample)
		put_leaf(&leaf, part, from);
	frame = sample ? stackframes_of_sample(part->stacks, from->stack)
		       : stackframes_of_call(part->stacks, from->stack);
	result = add_leaf(part, frame, &leaf, &sum);
	strbuf_free(&leaf);
	return result;
}

static int put_wait(struct flame_part *part, const struct wait *wait)
{
	const struct wait_end *end = waits_find(&part->waits, wait);
	struct flame_sum sum = {
		.thread = wait->frame.thread,
		.class = FLAME_WAIT,
		.time = amount_between(wait->enter, wait->leave),
		.count = 1,
	};
	struct strbuf leaf = STRBUF_INIT;
	int result;

	put_wait_leaf(&leaf, part, end, wait->kind);
	result = add_leaf(part,
			  stackframes_of_call(part->stacks, stack_of(part, &wait->frame)), &leaf,
			  &sum);
	strbuf_free(&leaf);
	return result;
}

/* After the last frame: all stacks are known. */
static int put_part(struct flame_part *part)
{
	for (uint32_t i = 0; i < part->sums.count; i++)
		if (put_sum(part, keyed_at(&part->sums, i)))
			return -1;
	waits_sort(&part->waits);
	for (size_t i = 0; i < part->waits.wait_count; i++)
		if (put_wait(part, &part->waits.waits[i]))
			return -1;
	return 0;
}

static void put_messages(struct stream *stream, const struct flame_part *part)
{
	struct strbuf text = STRBUF_INIT;

	waits_put_message(&text, &part->waits, part->catalog->process.pid);
	if (text.length)
		stream_put_message(stream, strbuf_text(&text));
	strbuf_free(&text);
}

static void add_message(void *stream, const char *text)
{
	stream_put_message(stream, text);
}

struct flame_part *flame_part_new(struct flame *flame, struct stream *stream)
{
	struct flame_part *part = calloc(1, sizeof(*part));

	if (!part)
		return NULL;
	*part = (struct flame_part){
		.flame = flame,
		.stream = stream,
		.catalog = stream_catalog(stream),
		.stacks = stackframes_new(flame, stream_catalog(stream), add_message, stream),
		.sums = {.key_size = offsetof(struct part_sum, time),
			 .entry_size = sizeof(struct part_sum)},
		.waits.limit = flame_options.waits,
	};
	if (part->stacks)
		return part;
	flame_part_free(part);
	return NULL;
}

int flame_part_end(struct flame_part *part, struct strbuf *error)
{
	struct flame *flame = part->flame;
	const struct process *process = &part->catalog->process;

	if (put_part(part))
		return no_memory(error);
	put_messages(part->stream, part);
	flame->has_stacks |= part->catalog->stacks.node_count > 0;
	if (!flame->started)
		flame->started = process->started + (uint64_t)process->monotonic_to_epoch;
	return 0;
}

void flame_part_free(struct flame_part *part)
{
	if (!part)
		return;
	keyed_free(&part->sums);
	waits_free(&part->waits);
	stackframes_free(part->stacks);
	free(part);
}

static int read_part(struct flame *flame, struct stream *stream, struct strbuf *error)
{
	struct flame_part *part = flame_part_new(flame, stream);
	const struct frame *frame;
	int result = part ? 1 : no_memory(error);

	while (result > 0 && (result = stream_next_frame(stream, &frame, error)) > 0)
		if (flame_part_add(part, frame, error))
			result = -1;
	if (!result)
		result = flame_part_end(part, error);
	flame_part_free(part);
	return result;
}

int flame_read(struct flame *flame, struct stream *stream, struct strbuf *error)
{
	int result = 1;

	if (flame_open(flame))
		return no_memory(error);
	while (result > 0) {
		if (read_part(flame, stream, error))
			return -1;
		result = stream_advance(stream, error);
	}
	return result;
}
