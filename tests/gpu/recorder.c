/* SPDX-License-Identifier: MIT */
#include "recorder.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* None of CUPTI's functions has more parameters, or one that is neither an integer nor a pointer:
 * on all supported machines they can be called in this way. */
#define WORDS	   uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f
#define WORD_COUNT 6
typedef int any_function(WORDS);

struct function {
	const char *symbol;
	any_function *real;
	/* Changes the arguments, and inspects the results. */
	int (*pass)(const struct function *function, uintptr_t words[WORD_COUNT]);
	void (*seen)(const void *parameters); /* called after success */
	unsigned calls;
	unsigned failures;
};

enum { NOTED_CALLS = 16 }; /* per function, and as many failing ones */

static int pass_on(const struct function *function, const uintptr_t words[WORD_COUNT])
{
	return function->real(words[0], words[1], words[2], words[3], words[4], words[5]);
}

/* The profiler is the only client. */
static cupti_callback_function *client_callback;
static cupti_buffer_requested *client_requested;
static cupti_buffer_completed *client_completed;
static record_next *real_next;

static void on_callback(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	const struct cupti_call *call = data;

	if (domain == CUPTI_DOMAIN_DRIVER || domain == CUPTI_DOMAIN_RUNTIME)
		note(NOTES_CALLBACK, "callback domain %u id %u %s %s correlation %u context %u",
		     domain, callback, call->function, call->site == CUPTI_ENTER ? "enter" : "exit",
		     call->correlation, call->context_id);
	else
		note(NOTES_CALLBACK, "callback domain %u id %u", domain, callback);
	client_callback(user, domain, callback, data);
}

static void on_requested(uint8_t **buffer, size_t *size, size_t *most)
{
	client_requested(buffer, size, most);
	note(NOTES_BUFFER, "buffer requested: %zu bytes, %zu records", *size, *most);
}

static void on_completed(cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
			 size_t valid)
{
	note(NOTES_BUFFER, "buffer completed: %zu of %zu bytes, context %s, stream %u", valid, size,
	     context ? "given" : "none", stream);
	if (real_next && valid)
		dump_buffer(buffer, valid, real_next);
	client_completed(context, stream, buffer, size, valid);
}

static int pass_subscribe(const struct function *function, uintptr_t words[WORD_COUNT])
{
	cupti_callback_function *before = client_callback;
	int result;

	client_callback = (cupti_callback_function *)words[1];
	words[1] = (uintptr_t)on_callback;
	result = pass_on(function, words);
	if (result)
		client_callback = before;
	return result;
}

static int pass_buffers(const struct function *function, uintptr_t words[WORD_COUNT])
{
	client_requested = (cupti_buffer_requested *)words[0];
	client_completed = (cupti_buffer_completed *)words[1];
	words[0] = (uintptr_t)on_requested;
	words[1] = (uintptr_t)on_completed;
	return pass_on(function, words);
}

static int pass_next(const struct function *function, uintptr_t words[WORD_COUNT])
{
	struct cupti_record **record = (struct cupti_record **)words[2], *before = *record;
	int result = pass_on(function, words);

	record_seen((const uint8_t *)words[0], (size_t)words[1], before, result ? NULL : *record);
	return result;
}

static int pass_host(const struct function *function, uintptr_t words[WORD_COUNT])
{
	int result = pass_on(function, words);

	if (!result)
		function->seen((const void *)words[0]);
	return result;
}

/* clang-format off */
enum {
#define NEED(name, parameters) AT_##name,
#define MAY(name, parameters) AT_##name,
#define FUNCTION(name, parameters) AT_##name,
#define ALSO(name) AT_##name,
#include "recorder_all.def"
	FUNCTIONS
};

static struct function functions[FUNCTIONS] = {
#define NEED(name, parameters) [AT_##name].symbol = "cupti" #name,
#define MAY(name, parameters) [AT_##name].symbol = "cupti" #name,
#define FUNCTION(name, parameters) [AT_##name].symbol = "cupti" #name,
#define ALSO(name) [AT_##name].symbol = "cupti" #name,
#include "recorder_all.def"
	[AT_Subscribe].pass = pass_subscribe,
	[AT_ActivityRegisterCallbacks].pass = pass_buffers,
	[AT_ActivityGetNextRecord].pass = pass_next,
	[AT_ProfilerHostInitialize].pass = pass_host,
	[AT_ProfilerHostInitialize].seen = image_chip,
	[AT_ProfilerHostGetConfigImage].pass = pass_host,
	[AT_ProfilerHostGetConfigImage].seen = image_config,
	[AT_ProfilerHostEvaluateToGpuValues].pass = pass_host,
	[AT_ProfilerHostEvaluateToGpuValues].seen = image_values,
};
/* clang-format on */

static void open_real(void)
{
	const char *path = getenv("RECORDER_CUPTI");
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!library) {
		note(NOTES_CALL, "no library: %s", path ? dlerror() : "RECORDER_CUPTI is not set");
		return;
	}
	note(NOTES_CALL, "library %s", path);
	for (struct function *function = functions; function < functions + FUNCTIONS; function++) {
		*(void **)&function->real = dlsym(library, function->symbol);
		if (!function->real)
			note(NOTES_CALL, "lacks %s", function->symbol);
	}
	*(void **)&real_next = dlsym(library, "cuptiActivityGetNextRecord");
}

static bool worth_a_note(struct function *function, int result)
{
	unsigned calls = __atomic_fetch_add(&function->calls, 1, __ATOMIC_RELAXED);

	if (!result)
		return calls < NOTED_CALLS;
	return __atomic_fetch_add(&function->failures, 1, __ATOMIC_RELAXED) < NOTED_CALLS;
}

static int forward(int index, WORDS)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uintptr_t words[WORD_COUNT] = {a, b, c, d, e, f};
	struct function *function = &functions[index];
	int result = CUPTI_NOT_SUPPORTED;

	pthread_once(&once, open_real);
	if (function->real && function->pass)
		result = function->pass(function, words);
	else if (function->real)
		result = pass_on(function, words);
	if (worth_a_note(function, result))
		note(NOTES_CALL, "%s(0x%lx, 0x%lx, 0x%lx, 0x%lx) = %d", function->symbol,
		     (unsigned long)a, (unsigned long)b, (unsigned long)c, (unsigned long)d,
		     result);
	return result;
}

static void __attribute__((destructor)) note_totals(void)
{
	for (struct function *function = functions; function < functions + FUNCTIONS; function++) {
		if (function->calls)
			note(NOTES_TOTAL, "total %s: %u calls, %u of them failed", function->symbol,
			     function->calls, function->failures);
	}
	note_counts();
}

#define ENTRY_POINT(name)                                                                          \
	__attribute__((visibility("default"))) int cupti##name(WORDS);                             \
	int cupti##name(WORDS)                                                                     \
	{                                                                                          \
		return forward(AT_##name, a, b, c, d, e, f);                                       \
	}
#define NEED(name, parameters)	   ENTRY_POINT(name)
#define MAY(name, parameters)	   ENTRY_POINT(name)
#define FUNCTION(name, parameters) ENTRY_POINT(name)
#define ALSO(name)		   ENTRY_POINT(name)
#include "recorder_all.def"
