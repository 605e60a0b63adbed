/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_RANGE_OBJECT_H
#define TESTS_FAKES_CUPTI_RANGE_OBJECT_H

#include <sys/types.h>

#include "cupti_image.h"
#include "cupti_ranges.h"

/* Internal declarations of cupti_range.c and cupti_range_run.c. Objects are never freed. */
struct waiting {
	struct range range;
	bool is_there; /* or comes later */
	struct waiting *next;
};

struct range_object {
	char magic[8];
	pid_t process;
	uint32_t context;
	uint32_t device;
	bool is_started;
	bool is_used; /* it was started since SetConfig */
	bool has_failed;    /* a call failed by the script: Stop need not succeed */
	unsigned passes;    /* 0: not configured */
	struct names names; /* that counter data was last planned for */
	size_t most;
	size_t data_bytes;
	uint8_t *data; /* as configured */
	size_t most_waiting;
	struct waiting *waiting, **end;
	size_t waiting_count;
	size_t dropped;
	uint64_t count; /* since Start */
	struct range_object *older;
};

void ranges_lock(void);
void ranges_unlock(const int *unused);
#define LOCKED() __attribute__((cleanup(ranges_unlock), unused)) int locked = (ranges_lock(), 0)

/* The rest needs the lock. */
extern struct range_object *range_objects;
/* Returns the object that is enabled in the context, or in any of the device; NULL: none. */
struct range_object *range_find(uint32_t context, uint32_t device, bool any_context);
void range_check_object(const char *function, const struct range_object *object);
void range_check_size(const char *function, size_t size, size_t wanted);

/* The common start of all functions with an object. */
#define BEGIN(name, type, last)                                                                    \
	static const char function[] = "cupti" #name;                                              \
	int status = cupti_gate(function, true);                                                   \
	struct range_object *object = parameters->object;                                          \
	LOCKED();                                                                                  \
                                                                                                   \
	range_check_size(function, parameters->size, RANGE_SIZE(type, last));                      \
	range_check_object(function, object);                                                      \
	object->has_failed |= status != CUPTI_DONE;                                                \
	if (status)                                                                                \
	return status

#endif
