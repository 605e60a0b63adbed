/* SPDX-License-Identifier: MIT */
#include "model/frames.h"

#include <string.h>

static uint64_t padded(uint64_t size)
{
	return (size + 7) & ~(uint64_t)7;
}

/* Returns zeroed room for a frame of `fixed` bytes and `text` more; NULL without memory. */
static void *put(struct strbuf *to, enum frame_kind kind, size_t fixed, size_t text)
{
	uint64_t size = padded(fixed + text);
	struct frame *frame = NULL;

	if (size <= UINT32_MAX)
		frame = (struct frame *)(void *)strbuf_reserve(to, size);
	if (!frame) {
		to->failed = true;
		return NULL;
	}
	memset(frame, 0, size);
	frame->size = (uint32_t)size;
	frame->kind = (uint16_t)kind;
	to->length += size;
	return frame;
}

void frames_put_process(struct strbuf *to, const struct process *process)
{
	size_t parts = process->part_count * sizeof(*process->parts);
	struct process_frame *frame =
		put(to, FRAME_PROCESS, sizeof(*frame), process->command_length + parts);

	if (!frame)
		return;
	frame->pid = process->pid;
	frame->command_length = process->command_length;
	frame->started = process->started;
	frame->monotonic_to_epoch = process->monotonic_to_epoch;
	memcpy(frame->boot, process->boot, sizeof(frame->boot));
	frame->rank = process->rank;
	frame->parts = process->part_count;
	if (process->command_length)
		memcpy(frame->command, process->command, process->command_length);
	if (parts)
		memcpy(frame->command + process->command_length, process->parts, parts);
}

void frames_put_name(struct strbuf *to, const struct names *names, uint32_t id)
{
	size_t length;
	const char *text = names_text(names, id, &length);
	struct name_frame *frame = put(to, FRAME_NAME, sizeof(*frame), length);

	if (!frame)
		return;
	frame->id = id;
	frame->length = (uint32_t)length;
	memcpy(frame->text, text, length);
}

void frames_put_device(struct strbuf *to, const struct device *device)
{
	size_t length = strlen(device->name);
	struct device_frame *frame = put(to, FRAME_DEVICE, offsetof(struct device_frame, name),
					 length);

	if (!frame)
		return;
	frame->id = device->id;
	frame->api = device->api;
	frame->number = device->number;
	frame->multiprocessors = device->multiprocessors;
	frame->compute_major = device->compute_major;
	frame->compute_minor = device->compute_minor;
	frame->length = (uint32_t)length;
	memcpy(frame->name, device->name, length);
}

void frames_put_context(struct strbuf *to, const struct context *context)
{
	struct context_frame *frame = put(to, FRAME_CONTEXT, sizeof(*frame), 0);

	if (!frame)
		return;
	frame->id = context->id;
	frame->api = context->api;
	frame->index = context->index;
	frame->device = context->device;
}

void frames_put_counters(struct strbuf *to, const struct counter_set *set)
{
	size_t refused = strlen(set->refused);
	struct strbuf texts = STRBUF_INIT;
	struct counters_frame *frame;

	counter_set_text(set, &texts);
	frame = put(to, FRAME_COUNTERS, offsetof(struct counters_frame, text),
		    texts.length + refused);
	if (frame && !texts.failed) {
		frame->id = set->id;
		frame->device = set->device;
		frame->count = set->count;
		frame->columns_length = (uint32_t)texts.length;
		frame->refused_length = (uint32_t)refused;
		if (texts.length)
			memcpy(frame->text, texts.data, texts.length);
		memcpy(frame->text + texts.length, set->refused, refused);
	}
	to->failed |= texts.failed;
	strbuf_free(&texts);
}

void frames_put_module(struct strbuf *to, const struct stacks *stacks, uint32_t id)
{
	const struct stack_module *module = stacks_module(stacks, id);
	struct module_frame *frame =
		put(to, FRAME_MODULE, offsetof(struct module_frame, path), module->length);

	if (!frame)
		return;
	frame->id = id;
	frame->length = module->length;
	frame->build_id_length = module->build_id_length;
	memcpy(frame->build_id, module->build_id, module->build_id_length);
	memcpy(frame->path, module->path, module->length);
}

void frames_put_stack(struct strbuf *to, const struct stacks *stacks, uint32_t id)
{
	const struct stack_node *node = stacks_node(stacks, id);
	struct stack_frame *frame = put(to, FRAME_STACK, sizeof(*frame), 0);

	if (!frame)
		return;
	frame->frame.flags = node->exact ? STACK_EXACT : 0;
	frame->id = id;
	frame->parent = node->parent;
	frame->module = node->module;
	frame->name = node->name;
	frame->offset = node->offset;
}

struct lost_frame *frames_put_lost(struct strbuf *to, uint64_t count, uint64_t missing,
				   uint64_t events)
{
	struct lost_frame *frame = put(to, FRAME_LOST, sizeof(*frame), 0);

	if (!frame)
		return NULL;
	frame->count = count;
	frame->missing = missing;
	frame->events = events;
	return frame;
}

struct end_frame *frames_put_end(struct strbuf *to, uint64_t frames)
{
	struct end_frame *frame = put(to, FRAME_END, sizeof(*frame), 0);

	if (frame)
		frame->frames = frames;
	return frame;
}

void frames_put_log(struct strbuf *to, const struct layout *layout, const struct device *device,
		    const struct context *context, const struct counter_set *counters,
		    const char *path)
{
	size_t length = strlen(path);
	struct log_frame *frame = put(to, FRAME_LOG, sizeof(*frame), length);

	if (!frame)
		return;
	frame->api = layout->api;
	frame->dialect = layout->dialect;
	frame->format = layout->format;
	frame->columns = layout->columns;
	frame->device = device ? device->id : 0;
	frame->context = context ? context->id : 0;
	frame->counters = counters ? counters->id + 1 : 0;
	frame->path_length = (uint32_t)length;
	memcpy(frame->path, path, length);
}

void frames_put_trace(struct strbuf *to, const char *path)
{
	size_t length = strlen(path);
	struct trace_frame *frame = put(to, FRAME_TRACE, sizeof(*frame), length);

	if (!frame)
		return;
	frame->length = length;
	memcpy(frame->path, path, length);
}

void frames_put_rules(struct strbuf *to, const struct rules_frame *rules, const char *log,
		      const char *trace, const char *warnings)
{
	size_t log_length = strlen(log), trace_length = strlen(trace);
	size_t warnings_length = strlen(warnings);
	struct rules_frame *frame = put(to, FRAME_RULES, sizeof(*frame),
					log_length + trace_length + warnings_length);
	struct frame header;
	char *text;

	if (!frame)
		return;
	header = frame->frame;
	header.flags = rules->frame.flags;
	*frame = *rules;
	frame->frame = header;
	frame->log_length = (uint32_t)log_length;
	frame->trace_length = (uint32_t)trace_length;
	frame->warnings_length = (uint32_t)warnings_length;
	text = frame->text;
	memcpy(text, log, log_length);
	memcpy(text + log_length, trace, trace_length);
	memcpy(text + log_length + trace_length, warnings, warnings_length);
}
