/* SPDX-License-Identifier: MIT */
/*
 * Usage: threads WAY [COUNT]; without one, lists the ways.
 * Makes numbered commands in threads that are short-lived, have small stacks, are cancelled or
 * interrupted. Prints "rows N"; output that depends on timing goes to stderr. It needs a driver
 * whose calls may be made in a signal handler and by threads that are cancelled.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "numbered.h"

enum { ROWS = 10, EACH = 20, SMALL = 16 << 10, MANY = 2000, PAINT = 0xa5 };

static struct numbered numbered, handled;
static int count;
static volatile sig_atomic_t beats;
static sigjmp_buf back;

static void check(bool good, const char *what)
{
	opencl_check(good ? CL_SUCCESS : CL_INVALID_OPERATION, what);
}

static pthread_t start(void *(*run)(void *), void *argument, const pthread_attr_t *attributes)
{
	pthread_t thread;

	check(!pthread_create(&thread, attributes, run, argument), "pthread_create");
	return thread;
}

static void *copy_some(void *own)
{
	numbered_begin(own);
	numbered_copy(own, EACH);
	numbered_finish(own);
	return NULL;
}

/* Eight at a time, COUNT times. */
static void many_short(void)
{
	struct numbered own[8];
	pthread_t threads[8];

	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 8; k++)
			threads[k] = start(copy_some, &own[k], NULL);
		for (int k = 0; k < 8; k++)
			pthread_join(threads[k], NULL);
	}
	numbered_say(count * 8 * EACH);
}

/* The state of a thread that is cancelled; it counts a call after the call has returned. */
struct victim {
	struct numbered own;
	bool any_moment;
	_Atomic int done;
};

static void *copy_until_cancelled(void *argument)
{
	struct victim *victim = argument;

	if (victim->any_moment)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;) {
		numbered_copy(&victim->own, 1);
		atomic_fetch_add(&victim->done, 1);
		if (!victim->any_moment)
			pthread_testcancel();
	}
	return NULL;
}

static void cancel_threads(bool any_moment)
{
	int all = ROWS;

	for (int i = 0; i < count; i++) {
		struct victim victim = {.any_moment = any_moment};
		pthread_t thread;

		numbered_begin(&victim.own);
		thread = start(copy_until_cancelled, &victim, NULL);
		usleep((useconds_t)i * 97 % 5000);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		all += victim.done;
	}
	/* No lock is left taken. */
	numbered_copy(&numbered, ROWS);
	numbered_finish(&numbered);
	fprintf(stderr, "rows %d\n", all + ROWS);
}

static void cancel_deferred(void)
{
	cancel_threads(false);
}

static void cancel_any_moment(void)
{
	cancel_threads(true);
}

static void beat(int number)
{
	(void)number;
	numbered_copy(&handled, 1);
	beats = beats + 1;
}

static void beat_with_memory(int number)
{
	void *memory = malloc(1000);

	beat(number);
	free(memory);
}

static void set_timer(int which, int microseconds)
{
	struct itimerval every = {
		.it_interval.tv_usec = microseconds,
		.it_value.tv_usec = microseconds,
	};

	setitimer(which, &every, NULL);
}

/* The program continues to work while a handler interrupts it repeatedly at any point. */
static void interrupt(int signal_number, void (*handler)(int), int which, int microseconds)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	numbered_begin(&handled);
	sigaction(signal_number, &action, NULL);
	set_timer(which, microseconds);
	while (beats < count)
		numbered_copy(&numbered, 1);
	set_timer(which, 0);
	signal(signal_number, SIG_IGN);
	numbered_finish(&numbered);
	fprintf(stderr, "rows %d\n", numbered.made + handled.made);
}

static void profiling_handler(void)
{
	interrupt(SIGPROF, beat, ITIMER_PROF, 500);
}

static void alarm_handler(void)
{
	interrupt(SIGALRM, beat_with_memory, ITIMER_REAL, 700);
}

static void jump_back(int number)
{
	siglongjmp(back, number);
}

/* The program itself tests whether memory is mapped. */
static void jump(void)
{
	volatile int jumps = 0;
	int *volatile nowhere = NULL;

	/* There must be no other handler. */
	printf("%s before\n", signal(SIGSEGV, jump_back) == SIG_DFL ? "no handler" : "a handler");
	if (sigsetjmp(back, 1))
		jumps = jumps + 1;
	numbered_copy(&numbered, 1);
	if (jumps < count)
		*nowhere = 0;
	numbered_finish(&numbered);
	printf("%d jumps\n", jumps);
	numbered_say(count + 1);
}

static void on_small_stack(int number)
{
	beat(number);
	numbered_finish(&handled);
}

/* The handler has the smallest stack on which glibc's own frames fit. */
static void small_signal_stack(void)
{
	static char stack[SMALL];
	stack_t alternative = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = on_small_stack, .sa_flags = SA_ONSTACK};

	numbered_begin(&handled);
	check(!sigaltstack(&alternative, NULL), "sigaltstack");
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < count; i++)
		raise(SIGUSR1);
	numbered_say(count);
}

/* Returns 16 KiB, or what the C library needs at least (on aarch64 128 KiB). */
static size_t small_stack(void)
{
	long least = sysconf(_SC_THREAD_STACK_MIN);

	return least > SMALL ? (size_t)least : SMALL;
}

/* The first record may be made in such a thread, too. */
static void small_threads(void)
{
	struct numbered own;
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	check(!pthread_attr_setstacksize(&attributes, small_stack()), "pthread_attr_setstacksize");
	for (int i = 0; i < count; i++)
		pthread_join(start(copy_some, &own, &attributes), NULL);
	pthread_attr_destroy(&attributes);
	numbered_say(count * EACH);
}

/* A thread on memory that shows afterwards how much of it was used. */
struct measured {
	pthread_t thread;
	unsigned char *stack;
	size_t size;
};

static void start_measured(struct measured *measured, void *(*run)(void *), void *argument)
{
	pthread_attr_t attributes;

	measured->size = small_stack();
	measured->stack = mmap(NULL, measured->size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(measured->stack != MAP_FAILED, "mmap");
	memset(measured->stack, PAINT, measured->size);
	pthread_attr_init(&attributes);
	check(!pthread_attr_setstack(&attributes, measured->stack, measured->size),
	      "pthread_attr_setstack");
	measured->thread = start(run, argument, &attributes);
	pthread_attr_destroy(&attributes);
}

static int end_measured(struct measured *measured)
{
	size_t untouched = 0;

	pthread_join(measured->thread, NULL);
	while (untouched < measured->size && measured->stack[untouched] == PAINT)
		untouched++;
	munmap(measured->stack, measured->size);
	return (int)(measured->size - untouched);
}

static void *copy_many(void *own)
{
	numbered_copy(own, MANY);
	return NULL;
}

/* More commands than their rings hold, in contexts with separate logs: the threads help to write
 * rows, and open the logs. */
static void small_helpers(void)
{
	struct numbered *own = calloc((size_t)count, sizeof(*own));
	struct measured *threads = calloc((size_t)count, sizeof(*threads));
	int most = 0;

	check(own && threads, "calloc");
	for (int i = 0; i < count; i++)
		numbered_begin_apart(&own[i]);
	for (int i = 0; i < count; i++)
		start_measured(&threads[i], copy_many, &own[i]);
	for (int i = 0; i < count; i++) {
		int used = end_measured(&threads[i]);

		most = used > most ? used : most;
	}
	for (int i = 0; i < count; i++)
		numbered_finish(&own[i]);
	numbered_say(count * MANY);
	fprintf(stderr, "stack %d\n", most);
	free(threads);
	free(own);
}

/* The first call: it reads the settings. */
static void *open_and_copy(void *own)
{
	numbered_open();
	return copy_some(own);
}

static void small_opener(void)
{
	struct numbered own;
	struct measured thread;

	start_measured(&thread, open_and_copy, &own);
	fprintf(stderr, "stack %d\n", end_measured(&thread));
	numbered_say(EACH);
}

static void keep_errno(void)
{
	int changed = 0;

	for (int i = 0; i < count; i++) {
		errno = ENOTTY;
		numbered_copy(&numbered, 1);
		changed += errno != ENOTTY;
	}
	printf("errno changed: %d\n", changed);
	numbered_finish(&numbered);
	numbered_say(count);
}

static void plain(void)
{
	numbered_copy(&numbered, count);
	numbered_finish(&numbered);
	numbered_say(count);
}

/* clang-format off */
static const struct way {
	const char *name;
	void (*go)(void);
	bool first; /* the way has the first record */
} ways[] = {
	{"plain", plain, false},
	{"short", many_short, false},
	{"cancel", cancel_deferred, false},
	{"cancel_any", cancel_any_moment, false},
	{"handler", profiling_handler, true},
	{"alarm", alarm_handler, true},
	{"jump", jump, false},
	{"stack", small_signal_stack, true},
	{"small", small_threads, true},
	{"helpers", small_helpers, true},
	{"opener", small_opener, true},
	{"errno", keep_errno, true},
	{NULL, NULL, false},
};
/* clang-format on */

int main(int argc, char **argv)
{
	count = argc > 2 ? atoi(argv[2]) : 1;
	for (const struct way *way = ways; way->name; way++) {
		if (argc < 2) {
			printf("%s\n", way->name);
			continue;
		}
		if (strcmp(way->name, argv[1]) != 0)
			continue;
		if (way->go != small_opener) {
			numbered_open();
			numbered_begin(&numbered);
		}
		if (!way->first) {
			numbered_copy(&numbered, ROWS);
			numbered_finish(&numbered);
			numbered_say(ROWS);
		}
		way->go();
	}
	return EXIT_SUCCESS;
}
