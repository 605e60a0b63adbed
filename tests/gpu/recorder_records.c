/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "recorder.h"

enum { LENGTHS = 64 };

static const char *text_of(const char *name)
{
	return name ? name : "(none)";
}

static void note_kernel(const struct cupti_kernel *kernel)
{
	note(NOTES_RECORD,
	     "kernel %u %s device %u context %u stream %u correlation %u start %llu end %llu "
	     "grid_id %lld",
	     kernel->kind, text_of(kernel->name), kernel->device, kernel->context, kernel->stream,
	     kernel->correlation, (unsigned long long)kernel->start,
	     (unsigned long long)kernel->end, (long long)kernel->grid_id);
}

static void note_copy(const struct cupti_memcpy *copy)
{
	note(NOTES_RECORD,
	     "copy %u from %u to %u flags %u bytes %llu device %u context %u stream %u "
	     "correlation %u start %llu end %llu",
	     copy->copy, copy->source, copy->target, copy->flags, (unsigned long long)copy->bytes,
	     copy->device, copy->context, copy->stream, copy->correlation,
	     (unsigned long long)copy->start, (unsigned long long)copy->end);
}

static void note_call(const struct cupti_api *call)
{
	note(NOTES_RECORD, "%s call %u thread %u correlation %u start %llu end %llu result %u",
	     call->kind == CUPTI_KIND_DRIVER ? "driver" : "runtime", call->callback, call->thread,
	     call->correlation, (unsigned long long)call->start, (unsigned long long)call->end,
	     call->result);
}

static void note_record(const struct cupti_record *record)
{
	const struct cupti_context *context = (const struct cupti_context *)record;

	switch (record->kind) {
	case CUPTI_KIND_KERNEL:
	case CUPTI_KIND_CONCURRENT_KERNEL:
		note_kernel((const struct cupti_kernel *)record);
		break;
	case CUPTI_KIND_MEMCPY:
		note_copy((const struct cupti_memcpy *)record);
		break;
	case CUPTI_KIND_DRIVER:
	case CUPTI_KIND_RUNTIME:
		note_call((const struct cupti_api *)record);
		break;
	case CUPTI_KIND_CONTEXT:
		note(NOTES_RECORD, "context %u device %u api %u null stream %u", context->context,
		     context->device, context->api, context->null_stream);
		break;
	default:
		note(NOTES_RECORD, "record of kind %u", record->kind);
	}
}

/* Notes a kind's length when it is first seen: the distance to the next record. */
static void note_length(uint32_t kind, size_t length)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct {
		uint32_t kind;
		size_t length;
	} seen[LENGTHS];
	static int count;
	int at = 0;

	pthread_mutex_lock(&lock);
	while (at < count && (seen[at].kind != kind || seen[at].length != length))
		at++;
	if (at == count && count < LENGTHS) {
		seen[count].kind = kind;
		seen[count++].length = length;
		note(NOTES_STRIDE, "length of kind %u: %zu bytes", kind, length);
	}
	pthread_mutex_unlock(&lock);
}

void record_seen(const uint8_t *buffer, size_t valid, const struct cupti_record *before,
		 const struct cupti_record *record)
{
	const uint8_t *end = record ? (const uint8_t *)record : buffer + valid;

	if (before)
		note_length(before->kind, (size_t)(end - (const uint8_t *)before));
	if (record)
		note_record(record);
}
