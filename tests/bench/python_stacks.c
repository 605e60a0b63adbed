/* SPDX-License-Identifier: MIT */
/*
 * What a call stack with Python frames costs a launch: stacks_here below eight Python functions,
 * four in each of two calls of the evaluation loop, and as many native functions as there usually
 * are. The interpreter is this program: its structures are those of CPython 3.12.
 *
 *	python_stacks COUNT
 *
 * Prints the nanoseconds of the first one, and of one in the fastest hundredth of COUNT.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "session/session.h"
#include "session/stacks.h"
#include "stack_bench.h"

enum {
	WORDS = 128,
	CALLS = 2,
	FUNCTIONS = 4, /* of a call of the loop */
	GLUE = 5,      /* native functions between two calls, and below the last one */
	LINES = 40,    /* entries of a table of lines */
	ON_C_STACK = 3,
};

#define AT(object, offset)   (*(uintptr_t *)(void *)((char *)(object) + (offset)))
#define BYTE(object, offset) (((uint8_t *)(object))[offset])

#pragma GCC visibility push(default)
extern uintptr_t _PyRuntime[], PyCode_Type[], PyUnicode_Type[], PyBytes_Type[];
extern unsigned long Py_Version;
int _PyEval_EvalFrameDefault(int calls, long count);
#pragma GCC visibility pop

uintptr_t _PyRuntime[WORDS], PyCode_Type[WORDS], PyUnicode_Type[WORDS], PyBytes_Type[WORDS];
unsigned long Py_Version = 0x030c00f0;

struct function {
	uintptr_t frame[WORDS], code[WORDS], name[WORDS], file[WORDS], lines[WORDS];
};

static struct function functions[CALLS][FUNCTIONS];
static uintptr_t interpreter[WORDS], thread[WORDS];
static const struct source source;
static volatile uint32_t last;

static __attribute__((noinline)) void hot_python_stacks(long count)
{
	for (long i = 0; i < count; i++)
		last = stacks_here();
}

static void set_text(uintptr_t *text, const char *value)
{
	AT(text, 8) = (uintptr_t)PyUnicode_Type;
	AT(text, 16) = strlen(value);
	AT(text, 32) = 1 << 2 | 1 << 5 | 1 << 6;
	memcpy((char *)text + 40, value, strlen(value));
}

static void set_lines(uintptr_t *lines)
{
	AT(lines, 8) = (uintptr_t)PyBytes_Type;
	AT(lines, 16) = 3 * LINES;
	for (int i = 0; i < LINES; i++) /* one line more, two units, two columns */
		BYTE(lines, 32 + 3 * i) = 0x80 | 11 << 3 | 1;
}

static void set_function(struct function *function, int number)
{
	char text[100];

	snprintf(text, sizeof(text), "Model.forward_layer_%d", number);
	set_text(function->name, text);
	snprintf(text, sizeof(text), "/usr/lib/python3/dist-packages/network/modules/layer_%d.py",
		 number);
	set_text(function->file, text);
	set_lines(function->lines);
	AT(function->code, 8) = (uintptr_t)PyCode_Type;
	AT(function->code, 68) = (uintptr_t)(100 * number + 1); /* its first line */
	AT(function->code, 112) = (uintptr_t)function->file;
	AT(function->code, 128) = (uintptr_t)function->name;
	AT(function->code, 136) = (uintptr_t)function->lines;
	AT(function->frame, 0) = (uintptr_t)function->code;
	AT(function->frame, 56) = (uintptr_t)function->code + 192 + 60;
}

static __attribute__((noinline)) void call_native(int depth, int calls, long count)
{
	if (depth)
		call_native(depth - 1, calls, count);
	else if (calls)
		last += (uint32_t)_PyEval_EvalFrameDefault(calls, count);
	else
		stack_bench(hot_python_stacks, count);
	last++;
}

__attribute__((noinline)) int _PyEval_EvalFrameDefault(int calls, long count)
{
	struct function *called = functions[calls - 1];
	uintptr_t cframe[2], entry[WORDS] = {0}, before = AT(thread, 56);

	BYTE(entry, 70) = ON_C_STACK;
	AT(entry, 8) = before ? *(uintptr_t *)before : 0;
	for (int i = 0; i < FUNCTIONS; i++)
		AT(called[i].frame, 8) = i ? (uintptr_t)called[i - 1].frame : (uintptr_t)entry;
	cframe[0] = (uintptr_t)called[FUNCTIONS - 1].frame;
	cframe[1] = before;
	AT(thread, 56) = (uintptr_t)cframe;
	call_native(GLUE, calls - 1, count);
	AT(thread, 56) = before;
	return (int)cframe[0];
}

static void make_thread(void)
{
	AT(_PyRuntime, 40) = (uintptr_t)interpreter;
	AT(interpreter, 72) = (uintptr_t)thread;
	AT(thread, 16) = (uintptr_t)interpreter;
	AT(thread, 136) = (uintptr_t)pthread_self();
	AT(thread, 56) = (uintptr_t)&thread[100];
	for (int i = 0; i < CALLS * FUNCTIONS; i++)
		set_function(&functions[i / FUNCTIONS][i % FUNCTIONS], i);
}

int main(int argc, char **argv)
{
	static char log[] = "log", trace[] = "trace";
	static struct settings settings = {.enabled = true,
					   .layout.api = API_OPENCL,
					   .log = log,
					   .trace = trace,
					   .stacks = true};
	long count = argc == 2 ? atol(argv[1]) : 0;

	if (count < STACK_BENCH_PARTS) {
		fprintf(stderr, "usage: python_stacks COUNT, at least %d\n", STACK_BENCH_PARTS);
		return EXIT_FAILURE;
	}
	make_thread();
	if (session_attach(API_OPENCL, &settings, &source))
		return EXIT_FAILURE;
	last = (uint32_t)_PyEval_EvalFrameDefault(CALLS, count);
	return EXIT_SUCCESS;
}
