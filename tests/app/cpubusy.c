/* SPDX-License-Identifier: MIT */
/*
 * cpubusy [OPTION]... THREADS MILLISECONDS
 *
 * Each thread uses so much CPU time, two thirds of it in spin_long() and one third in
 * spin_short(). At the end it prints the CPU time of the process in nanoseconds. Options:
 *
 *   -u  handles SIGURG from the start, and prints how many have come
 *   -i  ignores SIGURG from the start
 *   -U  the same for SIGURG and SIGWINCH, from the middle of the main thread's time on
 *   -r  resets all signals to their default actions before it begins
 *   -f  a forked child does the work; the parent waits
 *   -o  makes a context of OpenCL before
 *   -b  blocks all signals while it works
 *   -F  afterwards a forked child does the same
 *   -s  the other threads block all signals from their start, and wait for them for a millisecond
 *       after each twentieth of the second third. At the end it prints how many have come
 *   -w  the main thread does no work, it only waits for the others
 *   -a  the main thread has an alternate stack for signals, of 16 KiB. At the end it prints the
 *       number of threads of the process
 */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECOND = 1000000, MOST = 64, STEPS = 20000, ALTERNATE = 16 << 10 };

static volatile double sink;
static volatile sig_atomic_t came;
static uint64_t amount;	    /* ns of CPU time of each thread */
static int late;	    /* -U */
static int waiting;	    /* -s */
static volatile int waited; /* signals that came */
static int waits;	    /* -w */

static uint64_t used(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static void spin_long(uint64_t until)
{
	while (used(CLOCK_THREAD_CPUTIME_ID) < until)
		for (int i = 0; i < STEPS; i++)
			sink += i;
}

__attribute__((noinline)) static void spin_short(uint64_t until)
{
	while (used(CLOCK_THREAD_CPUTIME_ID) < until)
		for (int i = 0; i < STEPS; i++)
			sink -= i;
}

static void handle(int number)
{
	(void)number;
	came++;
}

static void spin_waiting(uint64_t begun)
{
	const struct timespec millisecond = {.tv_nsec = MILLISECOND};
	sigset_t all;

	sigfillset(&all);
	for (unsigned i = 0; i < 20; i++) {
		spin_long(begun + amount / 3 + amount / 60 * i);
		if (sigtimedwait(&all, NULL, &millisecond) > 0)
			__atomic_fetch_add(&waited, 1, __ATOMIC_SEQ_CST);
	}
}

/* `argument` is not NULL on other threads than the main one. */
static void *work(void *argument)
{
	uint64_t begun = used(CLOCK_THREAD_CPUTIME_ID);

	if (waiting && argument)
		spin_waiting(begun);
	spin_long(begun + amount / 3 * 2);
	if (late && !argument) {
		signal(SIGURG, handle);
		signal(SIGWINCH, handle);
	}
	spin_short(begun + amount);
	return argument;
}

static int run(int count)
{
	pthread_t threads[MOST];
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(waiting ? SIG_BLOCK : SIG_UNBLOCK, waiting ? &all : NULL, &before);
	for (int i = 1; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, &amount))
			return EXIT_FAILURE;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!waits)
		work(NULL);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("%llu\n", (unsigned long long)used(CLOCK_PROCESS_CPUTIME_ID));
	return EXIT_SUCCESS;
}

static int run_in_child(int count)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		exit(run(count));
	return child < 0 || waitpid(child, &status, 0) < 0 ? EXIT_FAILURE : WEXITSTATUS(status);
}

static int set_alternate(void)
{
	stack_t stack = {.ss_size = ALTERNATE};

	stack.ss_sp =
		mmap(NULL, ALTERNATE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return stack.ss_sp == MAP_FAILED ? -1 : sigaltstack(&stack, NULL);
}

static void print_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	int count = 0;

	while (tasks && (entry = readdir(tasks)))
		count += entry->d_name[0] != '.';
	if (tasks)
		closedir(tasks);
	printf("%d threads\n", count);
}

/* The program is not linked with OpenCL: other tests run without it. */
static int use_opencl(void)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW), *platform, *device;
	int (*get_platforms)(unsigned, void **, unsigned *);
	int (*get_devices)(void *, uint64_t, unsigned, void **, unsigned *);
	void *(*make_context)(const void *, unsigned, void **, void *, void *, int *);
	int error = -1;

	if (!library)
		return -1;
	*(void **)&get_platforms = dlsym(library, "clGetPlatformIDs");
	*(void **)&get_devices = dlsym(library, "clGetDeviceIDs");
	*(void **)&make_context = dlsym(library, "clCreateContext");
	if (!get_platforms(1, &platform, NULL) && !get_devices(platform, ~0U, 1, &device, NULL))
		make_context(NULL, 1, &device, NULL, NULL, &error);
	return error;
}

int main(int argument_count, char **arguments)
{
	int option, result, count, forks = 0, counts = 0, again = 0, alternate = 0;
	sigset_t all;

	while ((option = getopt(argument_count, arguments, "uUrfbFawiso")) != -1) {
		counts |= option == 'u' || option == 'U';
		late |= option == 'U';
		waits |= option == 'w';
		forks |= option == 'f';
		again |= option == 'F';
		alternate |= option == 'a';
		waiting |= option == 's';
		if (option == 'o' && use_opencl())
			return EXIT_FAILURE;
		if (option == 'u')
			signal(SIGURG, handle);
		if (option == 'i')
			signal(SIGURG, SIG_IGN);
		for (int i = 1; option == 'r' && i < NSIG; i++)
			signal(i, SIG_DFL);
		sigfillset(&all);
		if (option == 'b')
			pthread_sigmask(SIG_BLOCK, &all, NULL);
	}
	if (argument_count - optind != 2 || (count = atoi(arguments[optind])) > MOST)
		return EXIT_FAILURE;
	if (alternate && set_alternate())
		return EXIT_FAILURE;
	amount = strtoull(arguments[optind + 1], NULL, 10) * MILLISECOND;
	result = forks ? run_in_child(count) : run(count);
	if (counts)
		printf("%d signals\n", (int)came);
	if (waiting)
		printf("%d signals\n", waited);
	if (alternate)
		print_threads();
	return again && !result ? run_in_child(count) : result;
}
