/* SPDX-License-Identifier: MIT */
/*
 * cpustacks coroutine|alternate MILLISECONDS
 *
 * Uses so much CPU time in a function that uses little of its stack: on a stack of makecontext; or
 * with an alternate stack for signals. Prints how many bytes of that stack were written, less the
 * bytes that the kernel needs for a signal (AT_MINSIGSTKSZ; 0 on kernels that do not tell it).
 *
 * cpustacks deep MILLISECONDS
 *
 * Uses the time below DEPTH calls of a function.
 *
 * cpustacks runtime MILLISECONDS
 *
 * As the runtime of Go: handles all signals of samples, makes a thread where no session can begin
 * (inside qsort), and ends by a system call, with exit code 3.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum { MILLISECOND = 1000000, SIZE = 64 << 10, PATTERN = 0xAB, DEPTH = 1000 };

static ucontext_t outside, inside;
static uint64_t amount; /* ns of CPU time */
static volatile unsigned sink;

static uint64_t used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* clock_gettime may use more of the stack than the loop, so it is rare. */
static void spin(void)
{
	uint64_t until = used() + amount;

	while (used() < until)
		for (unsigned i = 0; i < 1000000; i++)
			sink += i;
}

static void begin(void)
{
	spin();
}

static void handle(int number)
{
	(void)number;
}

static void *work(void *argument)
{
	spin();
	return argument;
}

static int begin_runtime(const void *one, const void *other)
{
	pthread_t thread;

	(void)one;
	(void)other;
	signal(SIGURG, handle);
	signal(SIGWINCH, handle);
	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		syscall(SYS_exit_group, EXIT_FAILURE);
	syscall(SYS_exit_group, 3);
	return 0;
}

__attribute__((noinline)) static int spin_deep(int depth)
{
	int result = 0;

	if (depth)
		result = spin_deep(depth - 1);
	else
		spin();
	sink += (unsigned)result;
	return result + 1;
}

static long written(const unsigned char *memory)
{
	long at = 0;

	while (at < SIZE && memory[at] == PATTERN)
		at++;
	return SIZE - at;
}

int main(int count, char **arguments)
{
	long needed = (long)getauxval(AT_MINSIGSTKSZ);
	unsigned char *memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t alternate = {.ss_sp = memory, .ss_size = SIZE};

	if (count != 3 || memory == MAP_FAILED)
		return EXIT_FAILURE;
	amount = strtoull(arguments[2], NULL, 10) * MILLISECOND;
	memset(memory, PATTERN, SIZE);
	if (!strcmp(arguments[1], "runtime"))
		qsort(memory, 2, 1, begin_runtime);
	if (!strcmp(arguments[1], "deep"))
		return spin_deep(DEPTH) == DEPTH + 1 ? EXIT_SUCCESS : EXIT_FAILURE;
	if (!strcmp(arguments[1], "alternate")) {
		if (sigaltstack(&alternate, NULL))
			return EXIT_FAILURE;
		spin();
	} else {
		if (getcontext(&inside))
			return EXIT_FAILURE;
		inside.uc_stack = alternate;
		inside.uc_link = &outside;
		makecontext(&inside, begin, 0);
		if (swapcontext(&outside, &inside))
			return EXIT_FAILURE;
	}
	printf("%ld\n", needed ? written(memory) - needed : 0);
	return EXIT_SUCCESS;
}
