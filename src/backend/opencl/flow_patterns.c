/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow_patterns.h"

#include <pthread.h>
#include <string.h>

#include "backend/opencl/next.h"
#include "base/map.h"
#include "base/number.h"
#include "session/probe.h"

enum { NAME = 64, WIDTHS = 0x1f, TYPES = 0xff };

static struct {
	bool on;
	uint8_t type, level;
	uint64_t sample;
} wanted;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map launches; /* of each kernel's name, the number modulo that of the settings */

void patterns_begin(const struct settings *settings)
{
	wanted.on = settings->values >= VALUES_PATTERNS;
	wanted.type = settings->value_type;
	wanted.level = settings->value_level;
	wanted.sample = settings->value_sample;
}

bool patterns_are_on(void)
{
	return wanted.on;
}

bool patterns_leave_out(const struct opencl_kernel *kernel)
{
	uint64_t key = UINT64_C(1) + kernel->name, number;

	if (!kernel->examined || wanted.sample <= 1)
		return !kernel->examined;
	pthread_mutex_lock(&lock);
	number = (uintptr_t)map_get(&launches, key);
	map_set(&launches, key, (void *)(uintptr_t)((number + 1) % wanted.sample));
	pthread_mutex_unlock(&lock);
	return number;
}

/* Returns the type of a scalar, 0 if it is none; `end` is set behind its name. */
static enum element_type scalar(const char *name, const char **end)
{
	static const char names[][16] = {
		"unsigned char", "unsigned short", "unsigned int", "unsigned long", "char", "short",
		"int",		 "long",	   "uchar",	   "ushort",	    "uint", "ulong",
		"half",		 "float",	   "double",
	};
	static const uint8_t types[] = {
		ELEMENT_UINT8,	ELEMENT_UINT16, ELEMENT_UINT32,	 ELEMENT_UINT64,  ELEMENT_INT8,
		ELEMENT_INT16,	ELEMENT_INT32,	ELEMENT_INT64,	 ELEMENT_UINT8,	  ELEMENT_UINT16,
		ELEMENT_UINT32, ELEMENT_UINT64, ELEMENT_FLOAT16, ELEMENT_FLOAT32, ELEMENT_FLOAT64,
	};

	for (size_t i = 0; i < sizeof(types); i++) {
		size_t length = strlen(names[i]);

		*end = name + length;
		if (!strncmp(name, names[i], length))
			return types[i];
	}
	return ELEMENT_UNKNOWN;
}

uint16_t patterns_type(const char *name)
{
	const char *end, *rest;
	enum element_type type = scalar(name, &end);
	uint64_t width = 1;

	if (type == ELEMENT_UNKNOWN)
		return 0;
	if (*end >= '0' && *end <= '9')
		width = number_read(end, &end);
	rest = end + strspn(end, " ");
	if (strcmp(rest, "*") ||
	    (width != 1 && width != 2 && width != 3 && width != 4 && width != 8 && width != 16))
		return 0;
	return (uint16_t)(type | width << PATTERNS_WIDTH);
}

uint16_t patterns_element(cl_kernel kernel, cl_uint index)
{
	const struct opencl_device *device = kernel_device(kernel);
	char name[NAME] = "";
	uint16_t element = 0;

	if (device && device->version >= 120 && next.clGetKernelArgInfo &&
	    next.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof(name) - 1, name,
				    NULL) == CL_SUCCESS)
		element = patterns_type(name);
	return element ? element : (uint16_t)(PATTERNS_ASSUMED | 1 << PATTERNS_WIDTH | wanted.type);
}

static void put_pattern(const struct patterns_use *use, const struct value_patterns *found)
{
	const struct value_set *exact = &found->exact, *rounded = &found->rounded;
	struct probe probe;
	struct pattern *pattern =
		(void *)probe_past_event(&probe, FRAME_PATTERN, use->enter, use->enter);

	if (pattern) {
		pattern->frame.flags = (uint16_t)((use->is_before ? PATTERN_BEFORE : 0) |
						  (found->layout.is_assumed ? PATTERN_ASSUMED : 0) |
						  (exact->has_more ? PATTERN_MANY : 0) |
						  (rounded->has_more ? PATTERN_MANY_ROUNDED : 0));
		pattern->use = use->use;
		pattern->elements = found->elements;
		pattern->distinct = exact->distinct;
		pattern->rounded_distinct = rounded->distinct;
		pattern->api = API_OPENCL;
		pattern->type = found->layout.type;
		pattern->width = found->layout.width;
		pattern->kinds = exact->kinds;
		pattern->rounded_kinds = rounded->kinds;
		pattern->narrow_signed = exact->narrow_signed;
		pattern->narrow_unsigned = exact->narrow_unsigned;
		pattern->narrow_tail = exact->narrow_tail;
		pattern->narrow_rounded = rounded->narrow_signed;
		pattern->level = rounded->distinct ? found->layout.level : 0;
		memset(pattern->reserved, 0, sizeof(pattern->reserved));
		probe_commit();
	}
	probe_end(&probe);
}

static void put_value(const struct patterns_use *use, const struct pattern_value *from)
{
	struct probe probe;
	struct pattern_value *value =
		(void *)probe_past_event(&probe, FRAME_VALUE, use->enter, use->enter);

	if (value) {
		value->use = use->use;
		value->value = from->value;
		value->count = from->count;
		value->api = API_OPENCL;
		value->kind = from->kind;
		value->reserved = 0;
		value->error = from->error;
		probe_commit();
	}
	probe_end(&probe);
}

static void put_top(const struct patterns_use *use, const struct value_set *set,
		    enum pattern_value_kind kind)
{
	for (uint32_t i = 0; i < set->top_count; i++)
		put_value(use, &(struct pattern_value){.value = set->top[i].value,
						       .count = set->top[i].count,
						       .kind = (uint16_t)kind});
}

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

void patterns_examine(const struct patterns_use *use, const struct snapshot_object *object,
		      uint64_t offset, uint64_t bytes)
{
	const struct value_layout layout = {
		.type = use->element & TYPES,
		.width = use->element >> PATTERNS_WIDTH & WIDTHS,
		.level = wanted.level,
		.is_assumed = use->element & PATTERNS_ASSUMED,
	};
	struct value_patterns found;

	if (!snapshots_find_patterns(object, offset, bytes, &layout, &found) || !found.elements)
		return;
	put_pattern(use, &found);
	put_top(use, &found.exact, PATTERN_VALUE_TOP);
	put_top(use, &found.rounded, PATTERN_VALUE_ROUNDED);
	if (found.exact.kinds & PATTERN_LINEAR)
		put_value(use, &(struct pattern_value){.value = bits_of(found.slope),
						       .count = bits_of(found.start),
						       .kind = PATTERN_VALUE_LINE,
						       .error = bits_of(found.error)});
}
