/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_USED_H
#define BACKEND_OPENCL_USED_H

#include "backend/opencl/cl.h"
#include "model/event.h"
#include "session/difference.h"

/* What a command has changed in a part of an allocation. */
struct used_result {
	uint64_t address, offset, bytes;
	struct difference difference;
	uint64_t hash;
	enum change_reason reason;
};

enum { USED_RESULTS = 4 /* of a command, that are remembered */ };

/*
 * The uses of memory by commands (struct use), recorded if the settings have VALUES_OBJECTS or
 * more: then the program's calls come to the used_* functions of functions.def, which call the
 * wrapper.
 *
 *	used_begin(&used, queue);
 *	status = profiled_clEnqueue...(...);
 *	if (used_open(&used, status == CL_SUCCESS)) {
 *		used_memory(&used, ...);
 *		used_close(&used);
 *	}
 *
 * A record of a command that is known to use no memory gets one use, with USE_NONE.
 */
struct used {
	uint64_t enter;	 /* of the call, CLOCK_MONOTONIC ns */
	uint64_t newest; /* of this thread's records before the call */
	uint64_t record; /* of the call, 0: none */
	int error;	 /* errno of the program */
	bool on;	 /* uses are recorded, and the call is the program's */
	bool has_uses;	 /* one was recorded */
	bool is_unknown; /* not all memory that the command uses is known */
	bool left_out;	 /* the settings leave the launch out of the values that are examined */
	bool has_turn;	 /* flow.h */
	bool waited;	 /* flow.c: the command was waited for, with this result */
	enum change_reason reason;
	cl_command_queue queue;
	unsigned result_count;
	struct used_result results[USED_RESULTS];
};

/* A part of a memory object, and how it is used. */
struct used_part {
	uint64_t offset; /* in bytes */
	uint64_t bytes;	 /* 0: not known */
	enum use_access access;
	uint16_t flags; /* enum use_flag */
	uint32_t argument;
	uint16_t element; /* of an argument: flow_patterns.h; 0: none */
};

void used_begin(struct used *used, cl_command_queue queue);

/* Returns false if there is nothing to record, as when the command was not made; otherwise the
 * caller calls used_close. */
bool used_open(struct used *used, bool made);
void used_close(const struct used *used);

/* A use of the allocation with this handle or address. */
void used_allocation(struct used *used, uint64_t address, const struct used_part *part);

/* A use of a memory object. Unknown ones have no use. */
void used_memory(struct used *used, cl_mem handle, const struct used_part *part);

/* A use of `bytes` of an object from `offset` on. */
void used_bytes(struct used *used, cl_mem handle, uint64_t offset, uint64_t bytes,
		enum use_access access);

/* A box in an object, as of clEnqueueReadBufferRect, with its offset, bytes and flags: from its
 * first to its last byte. Zero if the box is NULL. */
struct used_part used_box(const size_t *origin, const size_t *region, size_t row, size_t slice,
			  enum use_access access);

/* A use of a part of an image. */
void used_image(struct used *used, cl_mem image, const size_t *origin, const size_t *region,
		enum use_access access);
struct used_part used_image_part(cl_mem image, const size_t *origin, const size_t *region,
				 enum use_access access);

/* Finds the allocation of an address of shared virtual memory: returns its address, 0 if it is
 * none, and sets `part`'s offset, and bytes to those up to its end. */
uint64_t used_shared(const void *address, struct used_part *part);

/* A use of this memory, if it is shared virtual memory; 0 bytes: all that follows. */
void used_address(struct used *used, const void *address, size_t bytes, enum use_access access);

/* Returns the access that the flags of an object permit. */
enum use_access used_permitted(cl_mem_flags flags);

#define DECLARE_PLAIN(name)
#define DECLARE_EVENT(name)
#define DECLARE_USES(name) __typeof__(name) used_##name;
#define DECLARE_COMMAND(name) DECLARE_USES(name)
#define ENTRY(way, event, result, name, ...) DECLARE_##event(name)
#include "backend/opencl/functions.def"
#undef DECLARE_PLAIN
#undef DECLARE_EVENT
#undef DECLARE_USES
#undef DECLARE_COMMAND

#endif
