/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_MEMORY_STUBS_H
#define TESTS_UNIT_MEMORY_STUBS_H

/* Include after cmocka.h, once per program: runs memory_calls.c, with stubs for its neighbours. */
#include "backend/cuda/calls.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/kernel_parameters.h"
#include "backend/cuda/memory_calls.h"
#include "backend/cuda/pending_uses.h"
#include "base/say.h"

struct cupti_functions cupti;
struct driver_functions driver;

/* Stub of pending_uses.c: the uses in their order, and the last call that has failed. */
enum { MOST_USES = 16 };
static struct use uses[MOST_USES];
static int use_count;
static uint32_t dropped;

void pending_uses_add(uint32_t correlation, const struct use *use)
{
	assert_true(use_count < MOST_USES);
	uses[use_count] = *use;
	uses[use_count++].record = correlation;
}

void pending_uses_drop(uint32_t correlation)
{
	dropped = correlation;
}

enum call_kind calls_kind(uint32_t domain, uint32_t callback)
{
	(void)domain;
	(void)callback;
	return CALL_OTHER;
}

/* Stub of base/say.c. */
static int messages;

void say(const char *format, ...)
{
	(void)format;
	messages++;
}

void say_once(int *flag, const char *format, ...)
{
	(void)format;
	messages += !*flag;
	*flag = 1;
}

void say_no_memory(void)
{
	messages++;
}

/* Parameters of kernels stay in a map until the end. LeakSanitizer does not search its memory,
 * which is mapped. */
const char *__lsan_default_suppressions(void) __attribute__((visibility("default")));

const char *__lsan_default_suppressions(void)
{
	return "leak:kernel_parameters_of\n";
}

/* CUPTI gives its calls numbers: here each name has that of its place. */
static const char *named;

static inline int callback_name(uint32_t domain, uint32_t id, const char **name)
{
	(void)domain;
	*name = id == 1 ? named : NULL;
	return 0;
}

static bool recording = true;

/* The program enters or leaves the driver's function. */
static inline void call(const char *function, enum cupti_site site, uint32_t correlation,
			const void *parameters, int result)
{
	const struct cupti_call data = {.site = site,
					.function = function,
					.parameters = parameters,
					.result = &result,
					.correlation = correlation};

	named = function;
	cupti.GetCallbackName = callback_name;
	memory_calls_find();
	memory_calls_note(1, &data, recording);
}

/* The driver's answers about the parameters of each function. */
#define FUNCTION_AT(number) ((void *)(uintptr_t)(0x1000 * (number)))

static struct kernel_parameter parameters_of_all[2];
static uint32_t parameter_count;
static unsigned asked;

static inline int param_info(cuda_function function, size_t index, size_t *offset, size_t *size)
{
	(void)function;
	asked++;
	if (index >= parameter_count)
		return 1;
	*offset = parameters_of_all[index].offset;
	*size = parameters_of_all[index].size;
	return 0;
}

static inline void stub_parameters(uint32_t count, struct kernel_parameter first,
				   struct kernel_parameter second)
{
	parameter_count = count;
	parameters_of_all[0] = first;
	parameters_of_all[1] = second;
}

static inline void begin_calls(void)
{
	use_count = 0;
	dropped = 0;
	messages = 0;
}

static inline void allocate(uint64_t address, uint64_t bytes)
{
	struct {
		uint64_t *address;
		uint64_t bytes;
	} given = {&address, bytes};

	call("cuMemAlloc_v2", CUPTI_EXIT, 1, &given, 0);
}

#endif
