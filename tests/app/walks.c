/* SPDX-License-Identifier: MIT */
/*
 * walks MODE SECONDS: runs code whose stacks are unusual, for tests/app/compare_walks.c. Modes:
 * coroutines on stacks of 16 KiB that are unmapped, threads on stacks of 16 KiB, libraries that
 * are loaded and unloaded or missing, signal handlers on an alternate stack, jumps by longjmp and
 * children of vfork.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { COROUTINES = 8, SMALL = 16 << 10, TURNS = 50, THREADS = 4, VALUES = 64 };

static ucontext_t home, coroutines[COROUTINES];
static volatile unsigned sink;
static unsigned long rounds;

static int compare(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

static __attribute__((noinline)) int work(int depth)
{
	volatile char room[100];
	int values[VALUES];

	room[depth % 100] = 1;
	if (depth)
		return work(depth - 1) + room[3];
	for (int i = 0; i < VALUES; i++)
		values[i] = (i * 7919 + (int)sink) % 101;
	qsort(values, VALUES, sizeof(values[0]), compare);
	sink += (unsigned)values[3];
	return values[5];
}

static void in_coroutine(int number)
{
	for (;;) {
		work(number + 3);
		swapcontext(&coroutines[number], &home);
	}
}

static bool make_coroutine(int number)
{
	ucontext_t *coroutine = &coroutines[number];
	void *room = mmap(NULL, SMALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED || getcontext(coroutine))
		return false;
	coroutine->uc_stack.ss_sp = room;
	coroutine->uc_stack.ss_size = SMALL;
	coroutine->uc_link = &home;
	makecontext(coroutine, (void (*)(void))in_coroutine, 1, number);
	return true;
}

static bool run_coroutines(void)
{
	for (int i = 0; i < COROUTINES; i++)
		if (!make_coroutine(i))
			return false;
	for (int i = 0; i < TURNS * COROUTINES; i++)
		swapcontext(&home, &coroutines[i % COROUTINES]);
	for (int i = 0; i < COROUTINES; i++)
		munmap(coroutines[i].uc_stack.ss_sp, SMALL);
	return true;
}

static void *in_thread(void *argument)
{
	for (int i = 0; i < 4 * TURNS; i++)
		work(5);
	return argument;
}

static bool run_threads(void)
{
	pthread_t threads[THREADS];
	pthread_attr_t small;
	int count = 0;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, SMALL);
	while (count < THREADS && !pthread_create(&threads[count], &small, in_thread, NULL))
		count++;
	work(3);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	pthread_attr_destroy(&small);
	return count > 0;
}

static bool run_libraries(void)
{
	static const char *const names[] = {"libm.so.6",       "libz.so.1",	 "libstdc++.so.6",
					    "libsqlite3.so.0", "libcrypto.so.3", "libresolv.so.2",
					    "libmissing.so"};
	int loaded = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *library = dlopen(names[i], RTLD_NOW);

		if (!library)
			continue;
		loaded++;
		work(1);
		dlclose(library);
	}
	return loaded > 0;
}

static void on_signal(int number)
{
	(void)number;
	work(4);
}

static bool run_signals(void)
{
	static char room[64 << 10];
	const stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, NULL);
	if (sigaltstack(&stack, NULL))
		return false;
	for (int i = 0; i < TURNS; i++) {
		raise(SIGUSR1);
		work(2);
	}
	return true;
}

static jmp_buf back;

static __attribute__((noinline)) void jump(int depth)
{
	if (sink && depth)
		jump(depth - 1);
	if (sink)
		longjmp(back, 1);
	sink++;
}

static __attribute__((noinline)) bool start_child(void)
{
	pid_t child = vfork();

	if (!child)
		_exit(0);
	return child > 0 && waitpid(child, NULL, 0) == child;
}

static bool run_jumps(void)
{
	for (volatile int i = 0; i < 100 * TURNS; i++)
		if (!setjmp(back))
			jump(3);
	return start_child();
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		bool (*run)(void);
	} modes[] = {
		{"coroutines", run_coroutines}, {"threads", run_threads},
		{"libraries", run_libraries},	{"signals", run_signals},
		{"jumps", run_jumps},
	};
	double end = now() + (count == 3 ? atof(arguments[2]) : 0);

	for (size_t i = 0; count == 3 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i].name, arguments[1]))
			continue;
		for (; now() < end; rounds++)
			if (!modes[i].run())
				return 1;
		printf("%lu rounds\n", rounds);
		return 0;
	}
	return 2;
}
