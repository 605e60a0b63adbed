/* SPDX-License-Identifier: MIT */
#include "backend/opencl/used.h"

#include <errno.h>

#include "backend/opencl/address_range.h"
#include "backend/opencl/allocation.h"
#include "backend/opencl/callscope.h"
#include "backend/opencl/flow.h"
#include "backend/opencl/next.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "base/clock.h"
#include "session/probe.h"

void used_begin(struct used *used, cl_command_queue queue)
{
	used->queue = queue;
	used->waited = false;
	used->left_out = false;
	used->result_count = 0;
	used->has_uses = used->is_unknown = false;
	used->on = opencl_is_recording() && !callscope_is_drivers();
	used->has_turn = used->on && flow_is_on() && flow_take_turn();
	if (!used->on)
		return;
	used->newest = probe_last_correlation();
	used->enter = clock_monotonic();
}

static void give_turn(const struct used *used)
{
	if (used->has_turn)
		flow_give_turn();
}

bool used_open(struct used *used, bool made)
{
	uint64_t newest, others;

	if (!used->on && made && flow_is_on() && !callscope_is_drivers())
		flow_lose_all(); /* recording is off */
	if (!used->on || !made) {
		give_turn(used);
		return false;
	}
	newest = probe_last_correlation();
	others = callscope_nested_records();
	if (others < used->newest)
		others = used->newest;
	/* Otherwise it has made none, or the thread has forked in the call. */
	used->record = newest == others + 1 ? newest : 0;
	used->error = errno;
	return true;
}

/* Returns the correlation of the use, 0 if it is lost. */
static uint64_t put(const struct used *used, uint64_t address, const struct used_part *part)
{
	struct probe probe;
	struct use *use = (void *)probe_past_event(&probe, FRAME_USE, used->enter, used->enter);
	uint64_t number = 0;

	if (use) {
		number = use->frame.correlation;
		use->frame.flags = part->flags;
		use->address = address;
		use->offset = part->offset;
		use->bytes = part->bytes;
		use->api = API_OPENCL;
		use->access = (uint16_t)part->access;
		use->argument = part->argument;
		use->record = used->record;
		probe_commit();
	}
	probe_end(&probe);
	return number;
}

void used_close(const struct used *used)
{
	if (used->record && !used->has_uses && !used->is_unknown)
		put(used, 0, &(struct used_part){.access = USE_NONE, .argument = USE_NO_ARGUMENT});
	give_turn(used);
	errno = used->error;
}

void used_allocation(struct used *used, uint64_t address, const struct used_part *part)
{
	uint64_t number = put(used, address, part);

	used->has_uses = true;
	if (flow_is_on())
		flow_used(used, address, part, number);
}

void used_memory(struct used *used, cl_mem handle, const struct used_part *part)
{
	const struct opencl_memory *memory = object_find(OBJECT_MEMORY, handle);
	struct used_part placed = *part;

	if (!memory) {
		used->is_unknown = true;
		return;
	}
	placed.offset += memory->origin;
	used_allocation(used, (uintptr_t)(memory->root ? memory->root : handle), &placed);
}

void used_bytes(struct used *used, cl_mem handle, uint64_t offset, uint64_t bytes,
		enum use_access access)
{
	if (bytes)
		used_memory(used, handle,
			    &(struct used_part){.offset = offset,
						.bytes = bytes,
						.access = access,
						.argument = USE_NO_ARGUMENT});
}

struct used_part used_box(const size_t *origin, const size_t *region, size_t row, size_t slice,
			  enum use_access access)
{
	struct used_part part = {.access = access, .argument = USE_NO_ARGUMENT};

	if (!origin || !region || !region[0] || !region[1] || !region[2])
		return part;
	row = row ? row : region[0];
	slice = slice ? slice : row * region[1];
	part.offset = origin[2] * slice + origin[1] * row + origin[0];
	part.bytes = (region[2] - 1) * slice + (region[1] - 1) * row + region[0];
	if (part.bytes != (uint64_t)region[0] * region[1] * region[2])
		part.flags = USE_PARTIAL;
	return part;
}

uint64_t used_shared(const void *address, struct used_part *part)
{
	size_t size = 0;
	const void *begin = address_range_find(ADDRESS_RANGE_SHARED, address, &size);

	if (!begin)
		return 0;
	part->offset = (uintptr_t)address - (uintptr_t)begin;
	part->bytes = size - part->offset;
	return (uintptr_t)begin;
}

void used_address(struct used *used, const void *address, size_t bytes, enum use_access access)
{
	struct used_part part = {.access = access, .argument = USE_NO_ARGUMENT};
	uint64_t begin = used_shared(address, &part);

	if (!begin)
		return;
	if (bytes)
		part.bytes = bytes;
	used_allocation(used, begin, &part);
}

enum use_access used_permitted(cl_mem_flags flags)
{
	if (flags & CL_MEM_READ_ONLY)
		return USE_READ;
	return flags & CL_MEM_WRITE_ONLY ? USE_WRITE : USE_READ_WRITE;
}
