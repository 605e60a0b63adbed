/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_EXTENSION_H
#define BACKEND_OPENCL_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/* Gets the work-group size that the device of `queue` would choose for this launch. Returns false
 * if it is not known. */
bool extension_suggested_size(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
			      const size_t *offset, const size_t *global, size_t size[3]);

/* The parameters of the longest function that records a command, one machine word each. Words
 * beyond the parameters of a shorter function are passed on unused. */
#define COMMAND_PARAMETERS                                                                         \
	uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6,        \
		uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10, uintptr_t a11,            \
		uintptr_t a12, uintptr_t a13, uintptr_t a14, uintptr_t a15, uintptr_t a16
#define WORDS_4		  uintptr_t, uintptr_t, uintptr_t, uintptr_t
#define WORDS_16	  WORDS_4, WORDS_4, WORDS_4, WORDS_4
#define COMMAND_ARGUMENTS a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16

/* The wrapper that a program gets for an extension function, and the type of the platform's
 * function. */
#define EXTENSION(name, type, count, ...)                                                          \
	typedef type (*name##_function)(__VA_ARGS__);                                              \
	type extension_##name(__VA_ARGS__);
#define ENTRY(way, event, result, ...) way(__VA_ARGS__)
#include "backend/opencl/functions.def"

enum extension_id {
#define EXTENSION(name) EXTENSION_##name,
#include "backend/opencl/functions.def"
	EXTENSION_COUNT
};

/* Stores the platform's function. `platform` is NULL if it was looked up without a platform. */
void extension_keep(enum extension_id id, cl_platform_id platform, void *address);

/* Returns the platform of `queue`; NULL if it is unknown. */
cl_platform_id extension_platform(cl_command_queue queue);

/* Returns the platform's function; without one, the function that was stored first. */
void *extension_real(enum extension_id id, cl_platform_id platform);

#endif
