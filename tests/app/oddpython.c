/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif

/*
 * Usage: oddpython CASE MILLISECONDS. Has the names of CPython, with structures that are not valid
 * or of another version, and uses the CPU in its evaluation loop. The offsets are those of 3.11.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 128, PAGE = 4096 };

#pragma GCC visibility push(default)
extern uintptr_t _PyRuntime[], PyCode_Type[], PyUnicode_Type[], PyBytes_Type[];
extern unsigned long Py_Version;
int _PyEval_EvalFrameDefault(long milliseconds);
#pragma GCC visibility pop

uintptr_t _PyRuntime[WORDS], PyCode_Type[WORDS], PyUnicode_Type[WORDS], PyBytes_Type[WORDS];
unsigned long Py_Version;

static uintptr_t interpreter[WORDS], thread[WORDS], frame[WORDS], code[WORDS], text[WORDS],
	bytes[WORDS];
static const char *odd = "";
static volatile uintptr_t sink;

#define AT(object, offset) (*(uintptr_t *)((char *)(object) + (offset)))

static int is(const char *name)
{
	return !strcmp(odd, name);
}

static void set_version(int count, char **arguments)
{
	Py_Version = 0x030b00f0;
	if (count > 1 && !strcmp(arguments[1], "later"))
		Py_Version = 0x037f00f0;
	if (count > 1 && !strcmp(arguments[1], "offsets"))
		Py_Version = 0x030d00f0;
}

/* Before the constructors of libraries. */
__attribute__((section(".preinit_array"), used)) static void (*const early)(int,
									    char **) = set_version;

/* Returns an address whose next page cannot be read, `left` bytes before that page. */
static uintptr_t before_hole(size_t left)
{
	char *pages = mmap(NULL, (size_t)2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE))
		exit(2);
	return (uintptr_t)pages + PAGE - left;
}

/* A thread state, a frame and a code object as they should be. */
static void make_valid(uintptr_t *cframe)
{
	AT(_PyRuntime, 40) = (uintptr_t)interpreter;
	AT(interpreter, 16) = (uintptr_t)thread;
	AT(thread, 16) = (uintptr_t)interpreter;
	AT(thread, 152) = (uintptr_t)pthread_self();
	AT(thread, 56) = (uintptr_t)cframe;
	AT(cframe, 8) = (uintptr_t)frame;
	AT(cframe, 16) = (uintptr_t)&thread[100];
	AT(frame, 32) = (uintptr_t)code;
	AT(frame, 56) = (uintptr_t)code + 184;
	*((char *)frame + 68) = 1; /* the outermost one */
	AT(code, 8) = (uintptr_t)PyCode_Type;
	AT(code, 112) = (uintptr_t)text;
	AT(code, 128) = (uintptr_t)text;
	AT(code, 136) = (uintptr_t)bytes;
	AT(text, 8) = (uintptr_t)PyUnicode_Type;
	AT(text, 16) = 3;
	AT(text, 32) = 1 << 2 | 1 << 5 | 1 << 6;
	memcpy((char *)text + 48, "odd", 3);
	AT(bytes, 8) = (uintptr_t)PyBytes_Type;
	*((char *)code + 72) = 7; /* its first line */
}

/* One of its parts is odd. */
static void make_odd(uintptr_t *cframe)
{
	make_valid(cframe);
	if (is("empty"))
		memset(_PyRuntime, 0, sizeof(_PyRuntime));
	else if (is("wild"))
		AT(_PyRuntime, 40) = (uintptr_t)0x123456789abc;
	else if (is("noncanonical"))
		AT(_PyRuntime, 40) = ~(uintptr_t)0 / 3;
	else if (is("hole"))
		AT(_PyRuntime, 40) = before_hole(16);
	else if (is("circle"))
		AT(thread, 8) = (uintptr_t)thread, AT(thread, 152) = 1;
	else if (is("circles"))
		AT(interpreter, 0) = (uintptr_t)interpreter, AT(thread, 152) = 1;
	else if (is("frame"))
		AT(cframe, 8) = before_hole(40);
	else if (is("code"))
		AT(code, 8) = (uintptr_t)PyUnicode_Type;
	else if (is("name"))
		AT(code, 128) = (uintptr_t)bytes;
	else if (is("length"))
		AT(text, 16) = ~(uintptr_t)0;
	else if (is("text"))
		AT(code, 112) = before_hole(50);
	else if (is("kind"))
		AT(text, 32) = 7 << 2 | 1 << 5 | 1 << 6;
	else if (is("endless")) /* its caller is itself */
		AT(frame, 48) = (uintptr_t)frame, *((char *)frame + 68) = 0;
	else if (is("lines"))
		AT(bytes, 16) = ~(uintptr_t)0;
	else if (is("offsets"))
		memcpy(_PyRuntime, "xdebugpy", 8), memset(_PyRuntime + 1, 0xff, 500);
}

__attribute__((noinline)) int _PyEval_EvalFrameDefault(long milliseconds)
{
	uintptr_t cframe[4], unreadable = before_hole(40);

	make_odd(cframe);
	while (clock() < milliseconds * (CLOCKS_PER_SEC / 1000)) {
		if (is("seldom") && clock() > milliseconds * (CLOCKS_PER_SEC / 1000) / 20 * 19)
			AT(cframe, 8) = unreadable;
		for (int i = 0; i < 10000; i++)
			sink += cframe[i % 4];
	}
	return 0;
}

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	odd = arguments[1];
	sink = (uintptr_t)_PyEval_EvalFrameDefault(atol(arguments[2]));
	return 0;
}
