/* SPDX-License-Identifier: MIT */
#include "model/frames.h"

#include <string.h>

#include "base/text.h"
#include "model/totals_row.h"

/* Reads frames and checks their contents. frames.c writes them. */

/* More parts than the frame has room for count as unknown: no record refers to them. */
static int apply_parts(struct catalog *catalog, const struct process_frame *frame)
{
	uint64_t size = frame->parts * (uint64_t)sizeof(struct process_part);
	struct process_part *parts;

	if (size > frame->frame.size - sizeof(*frame) - frame->command_length)
		size = 0;
	parts = catalog_parts(catalog, size ? frame->parts : 0);
	if (parts)
		memcpy(parts, frame->command + frame->command_length, size);
	return !size || parts ? 0 : -1;
}

static int apply_process(struct catalog *catalog, const struct process_frame *frame)
{
	struct process *process = &catalog->process;
	uint32_t length = frame->command_length;

	if (length > PROCESS_COMMAND || length > frame->frame.size - sizeof(*frame) ||
	    (length && !catalog_command(catalog)))
		return -1;
	process->pid = frame->pid;
	process->rank = frame->rank;
	process->started = frame->started;
	process->monotonic_to_epoch = frame->monotonic_to_epoch;
	memcpy(process->boot, frame->boot, sizeof(process->boot));
	if (length)
		memcpy(process->command, frame->command, length);
	process->command_length = length;
	return apply_parts(catalog, frame);
}

static int apply_device(struct catalog *catalog, const struct device_frame *frame)
{
	struct device device = {
		.api = (enum api)frame->api,
		.number = frame->number,
		.multiprocessors = frame->multiprocessors,
		.compute_major = frame->compute_major,
		.compute_minor = frame->compute_minor,
	};

	if (frame->length > frame->frame.size - offsetof(struct device_frame, name) ||
	    frame->api >= API_COUNT || frame->id != catalog->device_count)
		return -1;
	/* An id would be that of a later name of the file. */
	device.name = names_keep(catalog->names, frame->name, frame->length);
	if (!device.name)
		return -1;
	return catalog_add_device(catalog, &device) < 0 ? -1 : 0;
}

static int apply_context(struct catalog *catalog, const struct context_frame *frame)
{
	struct context context = {
		.api = (enum api)frame->api,
		.index = frame->index,
		.device = frame->device,
	};

	if (frame->api >= API_COUNT || frame->device >= catalog->device_count ||
	    frame->id != catalog->context_count)
		return -1;
	return catalog_add_context(catalog, &context) < 0 ? -1 : 0;
}

static int add_counters(struct catalog *catalog, const struct counters_frame *frame, char *text)
{
	struct counter_column list[COUNTER_COLUMNS];
	int count = counter_set_read(list, text, frame->columns_length);
	struct counter_set set = {
		.device = frame->device,
		.count = frame->count,
		.columns = list,
		.refused = text + frame->columns_length,
	};

	if (count < 0 || (uint32_t)count != frame->count)
		return -1;
	return catalog_add_counters(catalog, &set) < 0 ? -1 : 0;
}

static int apply_counters(struct catalog *catalog, const struct counters_frame *frame)
{
	uint64_t length = (uint64_t)frame->columns_length + frame->refused_length;
	struct strbuf text = STRBUF_INIT;
	int result = -1;

	if (length > frame->frame.size - offsetof(struct counters_frame, text) ||
	    frame->id != catalog->counters_count)
		return -1;
	strbuf_append(&text, frame->text, length);
	strbuf_char(&text, '\0');
	if (!text.failed && strlen(text.data) == length)
		result = add_counters(catalog, frame, text.data);
	strbuf_free(&text);
	return result;
}

static int apply_module(struct catalog *catalog, const struct module_frame *frame)
{
	struct stack_module module = {
		.path = frame->path,
		.length = frame->length,
		.build_id_length = frame->build_id_length,
	};

	if (frame->length > frame->frame.size - offsetof(struct module_frame, path) ||
	    frame->build_id_length > BUILD_ID_SIZE ||
	    frame->id != catalog->stacks.module_count + 1)
		return -1;
	memcpy(module.build_id, frame->build_id, frame->build_id_length);
	return stacks_add_module(&catalog->stacks, &module) ? 0 : -1;
}

static int apply_stack(struct catalog *catalog, const struct stack_frame *frame)
{
	struct stack_node node = {
		.parent = frame->parent,
		.module = frame->module,
		.name = frame->name,
		.exact = frame->frame.flags & STACK_EXACT,
		.offset = frame->offset,
	};

	if (frame->id != catalog->stacks.node_count + 1)
		return -1;
	return stacks_add_node(&catalog->stacks, &node) ? 0 : -1;
}

/* The size of each kind's struct, without the texts or blocks after it. */
static const uint32_t fixed_size[FRAME_KINDS] = {
	[FRAME_PROCESS] = offsetof(struct process_frame, command),
	[FRAME_NAME] = sizeof(struct name_frame),
	[FRAME_DEVICE] = offsetof(struct device_frame, name),
	[FRAME_CONTEXT] = sizeof(struct context_frame),
	[FRAME_LOG] = sizeof(struct log_frame),
	[FRAME_KERNEL] = sizeof(struct record),
	[FRAME_COPY] = sizeof(struct record),
	[FRAME_FILL] = sizeof(struct record),
	[FRAME_LOST] = sizeof(struct lost_frame),
	[FRAME_RULES] = sizeof(struct rules_frame),
	[FRAME_TRACE] = sizeof(struct trace_frame),
	[FRAME_COUNTERS] = offsetof(struct counters_frame, text),
	[FRAME_STACK] = sizeof(struct stack_frame),
	[FRAME_MODULE] = offsetof(struct module_frame, path),
	[FRAME_TOTALS] = sizeof(struct totals_row),
	[FRAME_END] = sizeof(struct end_frame),
#define EVENT(kind, member, ...) [FRAME_##kind] = sizeof(struct member),
#include "model/events.def"
#undef EVENT
};

uint32_t frames_fixed_size(enum frame_kind kind)
{
	return fixed_size[kind];
}

int frames_apply(struct catalog *catalog, const struct frame *frame)
{
	const void *at = frame;
	const struct name_frame *name = at;

	switch (frame->kind) {
	case FRAME_PROCESS:
		return apply_process(catalog, at);
	case FRAME_NAME:
		if (name->length > frame->size - sizeof(*name))
			return -1;
		return names_set(catalog->names, name->id, name->text, name->length);
	case FRAME_DEVICE:
		return apply_device(catalog, at);
	case FRAME_CONTEXT:
		return apply_context(catalog, at);
	case FRAME_COUNTERS:
		return apply_counters(catalog, at);
	case FRAME_MODULE:
		return apply_module(catalog, at);
	case FRAME_STACK:
		return apply_stack(catalog, at);
	default:
		return 0;
	}
}

/* A record with values has as many as its set has columns. */
static bool values_valid(const struct catalog *catalog, const struct record *record)
{
	const struct counters_block *counters;
	const struct counter_set *set;

	if (!blocks_valid(&record->frame, sizeof(*record)))
		return false;
	counters = record_counters(record);
	set = counters ? catalog_counters(catalog, counters->set) : NULL;
	return !counters || (set && set->count == record_value_count(record));
}

bool frames_valid(const struct catalog *catalog, const struct frame *frame, uint64_t remaining)
{
	const struct record *record = (const void *)frame;

	if (remaining < sizeof(*frame) || frame->size < sizeof(*frame) || frame->size % 8 ||
	    frame->size > remaining)
		return false;
	if (frame->kind < FRAME_KINDS && frame->size < fixed_size[frame->kind])
		return false;
	if (frames_is_slot(frame) && frame->stack > catalog->stacks.node_count)
		return false;
	if (frames_is_event(frame))
		return blocks_valid(frame, fixed_size[frame->kind]);
	if (frame->kind == FRAME_TOTALS)
		return totals_row_is_valid(catalog, (const void *)frame);
	if (!frames_is_record(frame))
		return true;
	return record->device < catalog->device_count &&
	       record->context < catalog->context_count && values_valid(catalog, record);
}

uint64_t frames_hash(const char *bytes, size_t length)
{
	return text_hash(bytes, length);
}
