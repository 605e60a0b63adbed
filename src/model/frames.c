/* SPDX-License-Identifier: MIT */
#include "model/frames.h"

#include <string.h>

static uint64_t padded(uint64_t size)
{
	return (size + 7) & ~(uint64_t)7;
}

/* Zeroed room for a frame of `fixed` bytes and `text` more; NULL when memory ran out. */
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
	struct process_frame *frame = put(to, FRAME_PROCESS, sizeof(*frame), 0);

	if (!frame)
		return;
	frame->pid = process->pid;
	frame->started = process->started;
	frame->monotonic_to_epoch = process->monotonic_to_epoch;
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

void frames_put_lost(struct strbuf *to, uint64_t count)
{
	struct lost_frame *frame = put(to, FRAME_LOST, sizeof(*frame), 0);

	if (frame)
		frame->count = count;
}

void frames_put_log(struct strbuf *to, const struct layout *layout, const struct device *device,
		    const struct context *context, const char *path)
{
	size_t length = strlen(path);
	struct log_frame *frame = put(to, FRAME_LOG, sizeof(*frame), length);

	if (!frame)
		return;
	frame->api = layout->api;
	frame->dialect = layout->dialect;
	frame->format = layout->format;
	frame->columns = layout->columns;
	frame->device = device->id;
	frame->context = context->id;
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
	device.name = names_text(catalog->names,
				 names_intern(catalog->names, frame->name, frame->length), NULL);
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

/* The least size of each kind's frame; 0 for kinds that a reader passes over. */
static const uint32_t fixed_size[FRAME_KINDS] = {
	[FRAME_PROCESS] = sizeof(struct process_frame),
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
};

int frames_apply(struct catalog *catalog, const struct frame *frame)
{
	const void *at = frame;
	const struct process_frame *process = at;
	const struct name_frame *name = at;

	switch (frame->kind) {
	case FRAME_PROCESS:
		catalog->process.pid = process->pid;
		catalog->process.started = process->started;
		catalog->process.monotonic_to_epoch = process->monotonic_to_epoch;
		return 0;
	case FRAME_NAME:
		if (name->length > frame->size - sizeof(*name))
			return -1;
		return names_set(catalog->names, name->id, name->text, name->length);
	case FRAME_DEVICE:
		return apply_device(catalog, at);
	case FRAME_CONTEXT:
		return apply_context(catalog, at);
	default:
		return 0;
	}
}

bool frames_valid(const struct catalog *catalog, const struct frame *frame, uint64_t remaining)
{
	const struct record *record = (const void *)frame;

	if (remaining < sizeof(*frame) || frame->size < sizeof(*frame) || frame->size % 8 ||
	    frame->size > remaining)
		return false;
	if (frame->kind < FRAME_KINDS && frame->size < fixed_size[frame->kind])
		return false;
	if (!frames_is_record(frame))
		return true;
	return record->device < catalog->device_count && record->context < catalog->context_count;
}

uint64_t frames_hash(const char *bytes, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return hash;
}
