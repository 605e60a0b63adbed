/* SPDX-License-Identifier: MIT */
#include "backend/cuda/driver_start.h"

#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "backend/cuda/functions.h"
#include "base/worker.h"

/* The pauses between two queries, in ns. A context takes the driver many milliseconds, so the first
 * ones are much shorter than the time until the first launch. */
enum {
	STACK = 1 << 18,
	SHORT = 100000,
	LONG = 50000000,
	SHORT_ONES = 100000, /* 10 s of short pauses */
	PAUSES = SHORT_ONES + 1200, /* and a minute of long ones */
};

static void (*when_started)(void);
static pid_t asking; /* the process of the thread */

bool driver_start_is_over(void)
{
	int count = 0;

	return driver.cuDeviceGetCount && !driver.cuDeviceGetCount(&count) && count > 0;
}

/* Ends with the program's last thread, which may be none of main's: see worker.h. */
static void *wait_for_start(void *unused)
{
	bool started = driver_start_is_over();

	for (unsigned i = 0; i < PAUSES && !started && !worker_is_alone(); i++) {
		nanosleep(&(struct timespec){.tv_nsec = i < SHORT_ONES ? SHORT : LONG}, NULL);
		started = driver_start_is_over();
	}
	if (started && asking == getpid())
		when_started();
	return unused;
}

int driver_start_wait(void (*then)(void))
{
	static struct worker worker = {.main = wait_for_start};

	if (!driver.cuDeviceGetCount)
		return -1;
	when_started = then;
	asking = getpid();
	return worker_start(&worker, STACK) ? -1 : 0;
}
