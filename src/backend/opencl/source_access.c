/* SPDX-License-Identifier: MIT */
#include "backend/opencl/source_access.h"

#include <stdatomic.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/kernel_access.h"
#include "backend/opencl/lines_source.h"
#include "model/event.h"

enum { NAME = 256, DEVICES = 64, KNOWN = 256 };

/* Programs may make a kernel for each launch. */
struct known {
	XXH128_hash_t key; /* of the source, the options and the kernel's name */
	struct source_access access;
};

static struct known table[KNOWN];
static atomic_flag busy = ATOMIC_FLAG_INIT;

static bool recall(struct known *known)
{
	const struct known *place = &table[known->key.low64 % KNOWN];
	bool found;

	if (atomic_flag_test_and_set(&busy))
		return false;
	found = XXH128_isEqual(place->key, known->key);
	if (found)
		known->access = place->access;
	atomic_flag_clear(&busy);
	return found;
}

static void remember(const struct known *known)
{
	if (atomic_flag_test_and_set(&busy))
		return;
	table[known->key.low64 % KNOWN] = *known;
	atomic_flag_clear(&busy);
}

static struct source_access read_access(const struct kernel_source *source, cl_kernel handle)
{
	struct source_access access = {0};
	cl_uint count = 0;

	next.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL);
	for (cl_uint i = 0; i < count && i < SOURCE_ARGUMENTS; i++) {
		int found = kernel_source_access(source, i, count);

		if (found < 0)
			continue;
		access.known |= UINT64_C(1) << i;
		access.reads |= (uint64_t) !!(found & USE_READ) << i;
		access.writes |= (uint64_t) !!(found & USE_WRITE) << i;
	}
	return access;
}

static struct source_access access_in(struct strbuf *text, const char *options, cl_kernel handle,
				      const char *name)
{
	struct kernel_source source;
	struct known known = {.access = {0}};
	size_t length = text->length;

	strbuf_append(text, options, strlen(options) + 1);
	strbuf_string(text, name);
	known.key = XXH3_128bits(text->data, text->length);
	if (text->failed || recall(&known))
		return known.access;
	text->length = length;
	if (kernel_source_find(&source, strbuf_text(text), options, name))
		known.access = read_access(&source, handle);
	kernel_source_free(&source);
	remember(&known);
	return known.access;
}

static struct source_access access_on(cl_device_id device, cl_program program, cl_kernel handle,
				      const char *name)
{
	struct strbuf text = STRBUF_INIT, options = STRBUF_INIT;
	struct source_access access = {0};

	if (lines_source_texts(&text, &options, program, device) && !options.failed)
		access = access_in(&text, strbuf_text(&options), handle, name);
	strbuf_free(&text);
	strbuf_free(&options);
	return access;
}

/* The options of a program may differ between its devices. */
struct source_access source_access(cl_kernel handle)
{
	static const struct source_access unknown;
	struct source_access access = {.known = UINT64_MAX}, other;
	cl_device_id devices[DEVICES];
	cl_program program = NULL;
	char name[NAME];
	size_t size = 0;

	if (next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL) ||
	    next.clGetKernelInfo(handle, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL) ||
	    next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &size) ||
	    size > sizeof(devices) || size < sizeof(devices[0]) ||
	    next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, size, devices, NULL))
		return unknown;
	for (size_t i = 0; i < size / sizeof(devices[0]) && access.known; i++) {
		other = access_on(devices[i], program, handle, name);
		access.known &= other.known;
		access.reads |= other.reads;
		access.writes |= other.writes;
	}
	return access;
}
