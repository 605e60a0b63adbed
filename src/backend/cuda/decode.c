/* SPDX-License-Identifier: MIT */
#include "backend/cuda/decode.h"

#include <stdbool.h>
#include <string.h>

#include "backend/cuda/activity_event.h"
#include "backend/cuda/api_event.h"
#include "backend/cuda/buffers.h"
#include "backend/cuda/calls.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/libcupti.h"
#include "backend/cuda/match.h"
#include "base/map.h"
#include "base/names.h"
#include "session/session.h"

/* The first CUPTI_API_VERSION (CUDA 9.0, 11.0) with struct cupti_kernel4, and with the node of a
 * graph in the records of kernels, copies and memsets. */
enum { KERNEL4_VERSION = 10, NODE_VERSION = 13 };

/* By name id: the address of the settings that the kernel was checked with; bit 0 is set if they
 * exclude it. */
static struct map unwanted;

static bool is_wanted(uint32_t name)
{
	const struct settings *asked = cuda_settings();
	uintptr_t yes = (uintptr_t)asked, known;

	if (!asked->kernel_regex || !name)
		return true;
	known = (uintptr_t)map_get(&unwanted, name);
	if ((known | 1) != (yes | 1)) {
		const char *text = names_text(session_catalog()->names, name, NULL);

		known = yes | !settings_logs_kernel(asked, text);
		map_set(&unwanted, name, (void *)known);
	}
	return known == yes;
}

/* Returns that of the last record if possible. The entry of a context is constant. */
static const struct cuda_context_entry *known_context(uint32_t context, uint32_t device)
{
	static const struct cuda_context_entry *last;
	static uint32_t number;

	if (!last || number != context) {
		last = contexts_get(context, device);
		number = context;
	}
	return last;
}

/* Sets the members common to all device work. Returns NULL if it cannot be logged. */
static const struct cuda_context_entry *begin(struct record *work, enum frame_kind kind,
					      uint32_t device, uint32_t context, uint32_t stream)
{
	const struct cuda_context_entry *entry = known_context(context, device);

	if (!entry) {
		buffers_lose(1);
		return NULL;
	}
	record_clear(work);
	work->frame.kind = (uint16_t)kind;
	work->device = entry->device;
	work->context = entry->id;
	work->stream = contexts_stream(context, stream);
	if (work->stream)
		work->known = KNOWN_STREAM;
	return entry;
}

static bool at_the_end;

void decode_at_the_end(bool now)
{
	at_the_end = now;
}

/* Times of 0 are missing; times in the wrong order are invalid. */
static void set_stamps(struct record *work, uint64_t start, uint64_t end)
{
	work->started = start;
	work->ended = end;
	if (start && start <= end)
		work->known |= KNOWN_TIMES;
	else if (!end && at_the_end)
		work->frame.flags |= RECORD_UNFINISHED;
	else
		work->frame.flags |= RECORD_BAD_TIMES;
}

/* A cache: programs launch the same few kernels repeatedly, and the computation takes most of the
 * time. */
static float known_occupancy(const struct occupancy_device *limits,
			     const struct occupancy_block *block)
{
	static struct {
		const struct occupancy_device *limits;
		struct occupancy_block block;
		float value;
	} last[16];
	size_t place = (block->threads ^ block->registers ^ block->shared >> 4) % 16;

	if (last[place].limits != limits || memcmp(&last[place].block, block, sizeof(*block))) {
		last[place].limits = limits;
		last[place].block = *block;
		last[place].value = occupancy(limits, block);
	}
	return last[place].value;
}

static void set_occupancy(struct record *work, const struct cupti_kernel *kernel,
			  const struct occupancy_device *limits)
{
	struct occupancy_block block = {
		.threads = (uint64_t)work->block[0] * work->block[1] * work->block[2],
		.registers = kernel->registers,
		.shared = (uint64_t)work->static_shared + work->dynamic_shared,
	};

	if (libcupti_version() >= KERNEL4_VERSION)
		block.shared_capacity = ((const struct cupti_kernel4 *)kernel)->shared_executed;
	work->occupancy = known_occupancy(limits, &block);
	if (work->occupancy > 0)
		work->known |= KNOWN_OCCUPANCY;
}

static void decode_kernel(const struct cupti_kernel *kernel, uint32_t name)
{
	const struct cuda_context_entry *context;
	struct record work;

	context = begin(&work, FRAME_KERNEL, kernel->device, kernel->context, kernel->stream);
	if (!context) {
		match_add_unlogged(kernel->correlation);
		return;
	}
	set_stamps(&work, kernel->start, kernel->end);
	work.name = name;
	if (libcupti_version() >= NODE_VERSION)
		work.handle = ((const struct cupti_kernel5 *)kernel)->graph_node;
	if (!is_wanted(name)) {
		session_filtered();
		match_add_filtered(&work, kernel->correlation);
		return;
	}
	for (int i = 0; i < 3; i++) {
		work.grid[i] = (uint32_t)kernel->grid[i];
		work.block[i] = (uint32_t)kernel->block[i];
	}
	work.static_shared = (uint32_t)kernel->static_shared;
	work.dynamic_shared = (uint32_t)kernel->dynamic_shared;
	work.registers = kernel->registers;
	work.cache_requested = kernel->cache & 15;
	work.cache_executed = kernel->cache >> 4;
	work.known |= KNOWN_GRID | KNOWN_STATIC_SHARED | KNOWN_DYNAMIC_SHARED | KNOWN_REGISTERS |
		      KNOWN_CACHE;
	set_occupancy(&work, kernel, &context->limits);
	match_add_work(&work, kernel->correlation);
}

/* clang-format off */
static const struct {
	uint8_t source;
	uint8_t target;
} sides[] = { /* by enum cupti_copy */
	[CUPTI_COPY_HOST_TO_DEVICE]   = { MEMORY_HOST, MEMORY_DEVICE },
	[CUPTI_COPY_DEVICE_TO_HOST]   = { MEMORY_DEVICE, MEMORY_HOST },
	[CUPTI_COPY_HOST_TO_ARRAY]    = { MEMORY_HOST, MEMORY_ARRAY },
	[CUPTI_COPY_ARRAY_TO_HOST]    = { MEMORY_ARRAY, MEMORY_HOST },
	[CUPTI_COPY_ARRAY_TO_ARRAY]   = { MEMORY_ARRAY, MEMORY_ARRAY },
	[CUPTI_COPY_ARRAY_TO_DEVICE]  = { MEMORY_ARRAY, MEMORY_DEVICE },
	[CUPTI_COPY_DEVICE_TO_ARRAY]  = { MEMORY_DEVICE, MEMORY_ARRAY },
	[CUPTI_COPY_DEVICE_TO_DEVICE] = { MEMORY_DEVICE, MEMORY_DEVICE },
	[CUPTI_COPY_HOST_TO_HOST]     = { MEMORY_HOST, MEMORY_HOST },
	[CUPTI_COPY_PEER_TO_PEER]     = { MEMORY_PEER, MEMORY_PEER },
};
/* clang-format on */

enum { COPIES = sizeof(sides) / sizeof(*sides) };

static void set_host_memory(struct record *work, enum cupti_memory memory)
{
	if (memory != CUPTI_MEMORY_PAGEABLE && memory != CUPTI_MEMORY_PINNED)
		return; /* logs have no number for managed memory */
	work->host_memory = memory == CUPTI_MEMORY_PINNED ? HOST_MEMORY_PAGE_LOCKED
							  : HOST_MEMORY_PAGEABLE;
	work->known |= KNOWN_HOST_MEMORY;
}

static void set_direction(struct record *work, const struct cupti_memcpy *copy)
{
	if (copy->copy == 0 || copy->copy >= COPIES) {
		work->source = work->target = UINT8_MAX; /* source and target are unknown */
		return;
	}
	work->source = sides[copy->copy].source;
	work->target = sides[copy->copy].target;
	work->direction = DIRECTION_DEVICE;
	if (work->source == MEMORY_HOST && work->target == MEMORY_HOST)
		return; /* no direction either */
	if (work->source == MEMORY_HOST) {
		work->direction = DIRECTION_HOST_TO_DEVICE;
		set_host_memory(work, copy->source);
	} else if (work->target == MEMORY_HOST) {
		work->direction = DIRECTION_DEVICE_TO_HOST;
		set_host_memory(work, copy->target);
	}
	work->known |= KNOWN_DIRECTION;
}

/* Both contexts are in the catalog, unless it is full. */
static void set_peers(struct record *work, const struct cupti_memcpy_peer *copy)
{
	const struct cuda_context_entry *source = contexts_find(copy->source_context);
	const struct cuda_context_entry *target = contexts_find(copy->target_context);

	if (!source || !target)
		return;
	work->peers = (struct peers){
		.source_device = source->device,
		.source_context = source->id,
		.target_device = target->device,
		.target_context = target->id,
	};
	work->known |= KNOWN_PEERS;
}

static uint64_t node_of_copy(const struct cupti_memcpy *copy, const struct cupti_memcpy_peer *peer)
{
	if (libcupti_version() < NODE_VERSION)
		return 0;
	if (peer)
		return ((const struct cupti_memcpy_peer2 *)peer)->graph_node;
	return ((const struct cupti_memcpy3 *)copy)->graph_node;
}

/* Peer copies have the same members, except for the correlation and the node; `peer` is NULL for
 * others. */
static void decode_copy(const struct cupti_memcpy *copy, const struct cupti_memcpy_peer *peer,
			uint32_t correlation)
{
	struct record work;

	if (!begin(&work, FRAME_COPY, copy->device, copy->context, copy->stream))
		return;
	set_stamps(&work, copy->start, copy->end);
	set_direction(&work, copy);
	if (copy->flags & CUPTI_ASYNCHRONOUS)
		work.frame.flags |= RECORD_ASYNCHRONOUS;
	work.bytes = copy->bytes;
	work.handle = node_of_copy(copy, peer);
	work.known |= KNOWN_BYTES;
	if (peer)
		set_peers(&work, peer);
	match_add_work(&work, correlation);
}

static void decode_memset(const struct cupti_memset *set)
{
	struct record work;

	if (!begin(&work, FRAME_FILL, set->device, set->context, set->stream))
		return;
	set_stamps(&work, set->start, set->end);
	if (set->flags & CUPTI_ASYNCHRONOUS)
		work.frame.flags |= RECORD_ASYNCHRONOUS;
	work.bytes = set->bytes;
	if (libcupti_version() >= NODE_VERSION)
		work.handle = ((const struct cupti_memset2 *)set)->graph_node;
	work.direction = DIRECTION_DEVICE;
	work.known |= KNOWN_BYTES | KNOWN_DIRECTION;
	match_add_work(&work, set->correlation);
}

static void decode_call(const struct cupti_api *call)
{
	bool runtime = call->kind == CUPTI_KIND_RUNTIME;
	uint32_t domain = runtime ? CUPTI_DOMAIN_RUNTIME : CUPTI_DOMAIN_DRIVER;
	enum call_kind kind = calls_kind(domain, call->callback);

	if (kind == CALL_CAPTURE_END && calls_end_capture((int)call->result))
		match_end_capture(call->end);
	if (api_event_wanted)
		api_event_add(call);
	/* A failed call made no work. */
	if (call->result || !call->end)
		return;
	if (calls_may_capture(domain, call->callback))
		match_doubt_launches();
	if (kind == CALL_CAPTURE)
		match_add_capture(call->start);
	match_add_call(&(struct match_call){
		.correlation = call->correlation,
		.thread = call->thread,
		.kind = kind,
		.runtime = runtime,
		.enter = call->start,
		.leave = call->end,
	});
}

void decode(const struct cupti_record *record, uint32_t name)
{
	const void *at = record;

	switch (record->kind) {
	case CUPTI_KIND_KERNEL:
	case CUPTI_KIND_CONCURRENT_KERNEL:
		decode_kernel(at, name);
		break;
	case CUPTI_KIND_MEMCPY:
		decode_copy(at, NULL, ((const struct cupti_memcpy *)at)->correlation);
		break;
	case CUPTI_KIND_MEMCPY_PEER:
		decode_copy(at, at, ((const struct cupti_memcpy_peer *)at)->correlation);
		break;
	case CUPTI_KIND_MEMSET:
		decode_memset(at);
		break;
	case CUPTI_KIND_DRIVER:
	case CUPTI_KIND_RUNTIME:
		decode_call(at);
		break;
	default:
		/* buffers.c has handled contexts. */
		if (api_event_wanted)
			activity_event_add(record);
		break;
	}
}
