/* SPDX-License-Identifier: MIT */
#include "backend/cuda/driver_start.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "backend/cuda/functions.h"
#include "base/worker.h"

enum {
	STACK = 1 << 18,
	SHORTEST = 100000, /* ns of a pause between two queries */
	LONGEST = 50000000,
};

#define MINUTE 60000000000ull

static void (*when_started)(void);
static pid_t thread_process; /* the process of the thread */

bool driver_start_is_over(void)
{
	int count = 0;

	return driver.cuDeviceGetCount && !driver.cuDeviceGetCount(&count) && count > 0;
}

/* Ends with the program's last thread, which may be none of main's: see worker.h. */
static void *wait_for_start(void *unused)
{
	bool started = driver_start_is_over();
	uint64_t waited = 0, pause;

	/* The pause is a hundredth of the time until then. So a start is noticed before the program
	 * can have made a context, and a driver that does not start costs little. */
	for (; !started && waited < MINUTE && !worker_is_alone(); waited += pause) {
		pause = waited / 100;
		pause = pause < SHORTEST ? SHORTEST : pause > LONGEST ? LONGEST : pause;
		nanosleep(&(struct timespec){.tv_nsec = (long)pause}, NULL);
		started = driver_start_is_over();
	}
	if (started && thread_process == getpid())
		when_started();
	return unused;
}

int driver_start_wait(void (*then)(void))
{
	static struct worker worker = {.main = wait_for_start};

	if (!driver.cuDeviceGetCount)
		return -1;
	when_started = then;
	thread_process = getpid();
	if (worker_start(&worker, STACK))
		return -1;
	pthread_detach(worker.thread); /* it ends without being waited for */
	return 0;
}
