/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "backend/opencl/flow_lock.h"
#include "backend/opencl/flow_patterns.h"
#include "backend/opencl/flow_pending.h"
#include "backend/opencl/flow_read.h"
#include "backend/opencl/flow_wait.h"
#include "backend/opencl/next.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/queue.h"
#include "base/clock.h"
#include "session/probe.h"
#include "session/snapshot.h"

enum { GRACE = 200 * 1000 * 1000 /* ns that comparing may take in any case */ };

static pid_t owner; /* a forked child compares nothing */
static uint64_t began;
static uint64_t percent;       /* comparing may take so many percent of the other time of the
				  program */
static _Atomic uint64_t spent; /* ns */

/*
 * turn: from before a command is enqueued until its writes are compared, so that no other thread's
 * command writes in between.
 * reading: while memory is read back.
 * counting: while references of a memory object are counted, so that it is retained in time.
 * They are taken in this order.
 */
static struct flow_lock turn, reading, counting;

void flow_begin(const struct settings *settings)
{
	snapshots_begin(&(struct snapshot_limits){.object = settings->value_limit,
						  .all = settings->value_memory});
	percent = settings->value_percent;
	patterns_begin(settings);
	owner = getpid();
	began = clock_monotonic();
	atomic_store(&flow_on, true);
}

/*
 * What this thread does in here cannot be interrupted: a signal handler that enqueues commands, and
 * a cancellation of the thread, would leave the locks taken.
 */
struct scope {
	int cancel;
	int error; /* errno of the program */
};

static __thread unsigned char scopes __attribute__((tls_model("initial-exec")));
static __thread bool has_turn __attribute__((tls_model("initial-exec")));
static __thread bool is_counting __attribute__((tls_model("initial-exec")));
static atomic_bool missed; /* a handler has written to memory */

/* Returns false if there is nothing to do: also in a forked child, since another thread of the
 * parent may have had the locks. */
static bool begin(struct scope *scope)
{
	if (!flow_is_on() || getpid() != owner)
		return false;
	if (scopes) {
		atomic_store(&missed, true);
		return false;
	}
	scopes++;
	scope->error = errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &scope->cancel);
	return true;
}

static void end(const struct scope *scope)
{
	int before;

	if (atomic_exchange(&missed, false))
		snapshots_lose_all();
	pthread_setcancelstate(scope->cancel, &before);
	errno = scope->error;
	scopes--;
}

static struct snapshot_object object_of(const void *handle, const struct opencl_memory *memory)
{
	return (struct snapshot_object){(uintptr_t)handle, memory->serial, memory->bytes};
}

/* Nobody is waited for if commands may wait for the program, nor in a callback or in the handler of
 * a signal. */
bool flow_take_turn(void)
{
	if (!flow_is_on() || getpid() != owner || scopes || has_turn || flow_pending_may_wait())
		return false;
	has_turn = flow_lock_take(&turn);
	if (!has_turn && flow_is_on())
		flow_give_up();
	return has_turn;
}

void flow_give_turn(void)
{
	has_turn = false;
	flow_lock_give(&turn);
}

bool flow_begin_counting(void)
{
	if (!flow_is_on() || getpid() != owner || is_counting)
		return false;
	is_counting = flow_lock_take(&counting);
	return is_counting;
}

void flow_end_counting(void)
{
	is_counting = false;
	flow_lock_give(&counting);
}

/* Retains a buffer, unless the program has released it: another thread may do so meanwhile. */
static bool hold(const struct opencl_memory *memory, cl_mem handle)
{
	bool holds;

	if (!flow_begin_counting())
		return false;
	holds = atomic_load(&memory->references) && next.clRetainMemObject(handle) == CL_SUCCESS;
	flow_end_counting();
	return holds;
}

static void let_go(const struct opencl_memory *memory, const struct snapshot_object *object)
{
	if (!atomic_load(&memory->references))
		snapshots_remove(object);
	next.clReleaseMemObject((cl_mem)(uintptr_t)object->address);
}

static bool has_time(void)
{
	uint64_t used = atomic_load(&spent), all = clock_monotonic() - began;

	return percent && (used < GRACE || (used < all && used * 100 < percent * (all - used)));
}

/* What is compared: a part of an allocation. */
struct part {
	struct snapshot_object object;
	uint64_t offset;
	uint64_t bytes;
};

static enum change_reason compare(const struct used *used, const struct part *part,
				  struct difference *difference, uint64_t *hash)
{
	enum change_reason reason;
	const void *bytes;
	uint64_t from;

	if (!flow_lock_take(&reading))
		return CHANGE_PENDING;
	from = clock_monotonic();
	reason = flow_read(used->queue, (cl_mem)(uintptr_t)part->object.address, part->offset,
			   part->bytes, &bytes);
	if (reason == CHANGE_COMPARED)
		reason = snapshots_compare(&part->object, part->offset, part->bytes, bytes,
					   difference, hash);
	atomic_fetch_add(&spent, clock_monotonic() - from);
	flow_lock_give(&reading);
	return reason;
}

static bool is_buffer(const struct opencl_memory *memory)
{
	return !memory->is_opaque &&
	       (memory->kind == MEMORY_KIND_DEVICE || memory->kind == MEMORY_KIND_PINNED ||
		memory->kind == MEMORY_KIND_PAGEABLE);
}

/* Returns why the part cannot be compared. The command is waited for in any case, so that later
 * ones find what it has written. */
static enum change_reason look_at(struct used *used, const struct opencl_memory *memory,
				  const struct part *part)
{
	if (!used->waited)
		used->reason = flow_read_wait(used->queue);
	used->waited = true;
	if (!memory || !is_buffer(memory))
		return CHANGE_KIND;
	if (memory->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))
		return CHANGE_UNREADABLE;
	if (used->reason != CHANGE_COMPARED)
		return used->reason;
	if (used->left_out)
		return CHANGE_SKIPPED;
	if (part->offset > memory->bytes || part->bytes > memory->bytes - part->offset)
		return CHANGE_FAILED;
	if (!has_time())
		return CHANGE_TIME;
	return snapshots_may_compare(&part->object);
}

static void put(const struct used *used, uint64_t use, const struct used_result *result)
{
	struct probe probe;
	struct change *change =
		(void *)probe_past_event(&probe, FRAME_CHANGE, used->enter, used->enter);

	if (change) {
		change->use = use;
		change->same = result->difference.same;
		change->changed = result->difference.changed;
		change->api = API_OPENCL;
		change->reason = (uint16_t)result->reason;
		change->same_words = (uint32_t)result->difference.same_words;
		change->hash = result->hash;
		probe_commit();
	}
	probe_end(&probe);
}

/* Two arguments of a kernel may be the same memory. */
static struct used_result *result_of(struct used *used, const struct part *part)
{
	for (unsigned i = 0; i < used->result_count; i++) {
		struct used_result *result = &used->results[i];

		if (result->address == part->object.address && result->offset == part->offset &&
		    result->bytes == part->bytes)
			return result;
	}
	return NULL;
}

static void add_result(struct used *used, const struct used_result *result)
{
	if (used->result_count < USED_RESULTS)
		used->results[used->result_count++] = *result;
}

/* `memory` is NULL if it is not known. */
static void written(struct used *used, const struct opencl_memory *memory, const struct part *part,
		    uint64_t use)
{
	const struct used_result *known = memory ? result_of(used, part) : NULL;
	struct used_result result = {
		.address = part->object.address, .offset = part->offset, .bytes = part->bytes};

	if (known) {
		put(used, use, known);
		return;
	}
	result.reason = look_at(used, memory, part);
	if (result.reason == CHANGE_COMPARED)
		result.reason = compare(used, part, &result.difference, &result.hash);
	if (result.reason != CHANGE_COMPARED && result.reason != CHANGE_LOST && memory &&
	    is_buffer(memory))
		snapshots_lose(&part->object);
	put(used, use, &result);
	add_result(used, &result);
}

/* The patterns of what the copy has: before the command, unless it has been compared. */
static void examine(const struct used *used, const struct used_part *placed,
		    const struct part *part, uint64_t use, bool is_before)
{
	uint64_t from;

	if (!placed->element || used->left_out || !has_time())
		return;
	from = clock_monotonic();
	patterns_examine(&(struct patterns_use){used->enter, use, placed->element, is_before},
			 &part->object, part->offset, part->bytes);
	atomic_fetch_add(&spent, clock_monotonic() - from);
}

static void used_part(struct used *used, const void *handle, const struct used_part *placed,
		      uint64_t use)
{
	const struct opencl_memory *memory = object_find(OBJECT_MEMORY, handle);
	struct part part = {.offset = placed->offset, .bytes = placed->bytes};
	bool holds = memory && is_buffer(memory) && hold(memory, (cl_mem)(uintptr_t)handle);

	if (memory && !holds && (is_buffer(memory) || !atomic_load(&memory->references)))
		memory = NULL; /* the program has released it */
	if (memory)
		part.object = object_of(handle, memory);
	if (memory && !part.bytes && part.offset <= memory->bytes)
		part.bytes = memory->bytes - part.offset;
	if (memory && placed->access & USE_READ)
		examine(used, placed, &part, use, true);
	if (placed->access & USE_WRITE)
		written(used, memory, &part, use);
	if (memory && placed->access & USE_WRITE)
		examine(used, placed, &part, use, false);
	if (holds)
		let_go(memory, &part.object);
}

void flow_used(struct used *used, uint64_t address, const struct used_part *part, uint64_t use)
{
	struct scope scope;

	if (!(part->access & USE_WRITE) && !part->element)
		return;
	if (!begin(&scope))
		return;
	if (use)
		used_part(used, (const void *)(uintptr_t)address, part, use);
	else if (part->access & USE_WRITE)
		snapshots_lose_all(); /* the use is lost */
	end(&scope);
}

void flow_launched(struct used *used, const struct opencl_kernel *kernel)
{
	struct scope scope;

	if (!patterns_are_on() || !begin(&scope))
		return;
	used->left_out = patterns_leave_out(kernel);
	end(&scope);
}

uint16_t flow_element(cl_kernel kernel, cl_uint index)
{
	return patterns_are_on() ? patterns_element(kernel, index) : 0;
}

void flow_lose_all(void)
{
	struct scope scope;

	if (!begin(&scope))
		return;
	snapshots_lose_all();
	end(&scope);
}

void flow_opaque(cl_command_queue queue)
{
	struct scope scope;

	if (!begin(&scope))
		return;
	flow_read_wait(queue);
	snapshots_lose_all();
	end(&scope);
}

void flow_made(cl_mem handle, const void *contents)
{
	const struct opencl_memory *memory;
	struct snapshot_object object;
	struct scope scope;

	if (!begin(&scope))
		return;
	memory = object_find(OBJECT_MEMORY, handle);
	if (memory && is_buffer(memory)) {
		object = object_of(handle, memory);
		snapshots_add(&object, contents);
	}
	end(&scope);
}

void flow_ended(const void *handle, const struct opencl_memory *memory)
{
	const struct snapshot_object object = object_of(handle, memory);
	struct scope scope;

	if (!begin(&scope))
		return;
	snapshots_remove(&object);
	end(&scope);
}
