/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/launch_watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backend/cuda/counters/launch_filter.h"
#include "base/clock.h"
#include "base/say.h"

enum { TOO_LONG = 10 /* seconds */, NAME_SIZE = 4096, NAME_SHOWN = 100 };

static const uint64_t second = 1000000000;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *name; /* CUPTI's, valid during the launch; NULL: unknown */
static uint64_t since;	 /* CLOCK_MONOTONIC; 0: nothing is measured */
static bool stuck;

void launch_watch_begin(const char *kernel)
{
	pthread_mutex_lock(&lock);
	name = kernel;
	since = clock_monotonic();
	stuck = false;
	pthread_mutex_unlock(&lock);
}

void launch_watch_end(void)
{
	pthread_mutex_lock(&lock);
	since = 0;
	stuck = false;
	pthread_mutex_unlock(&lock);
}

/* Returns true if the current launch began `seconds` ago. Copies its kernel's name, empty if it is
 * unknown; a longer one is cut, and then not found again. */
static bool has_lasted(unsigned seconds, char *copy)
{
	uint64_t now;
	bool long_enough;

	pthread_mutex_lock(&lock);
	now = clock_monotonic(); /* with the lock held, so that it is not before `since` */
	long_enough = since && now - since >= seconds * second;
	snprintf(copy, NAME_SIZE, "%s", since && name ? name : "");
	pthread_mutex_unlock(&lock);
	return long_enough;
}

static const char *shown(const char *kernel)
{
	return *kernel ? kernel : "of a graph";
}

static void note_stuck(void)
{
	pthread_mutex_lock(&lock);
	stuck = since != 0;
	pthread_mutex_unlock(&lock);
}

bool launch_watch_is_stuck(void)
{
	bool is_stuck;

	pthread_mutex_lock(&lock);
	is_stuck = stuck;
	pthread_mutex_unlock(&lock);
	return is_stuck;
}

void launch_watch_waited(void)
{
	static int said;
	char kernel[NAME_SIZE];

	/* The launch lock may have had another owner shortly before. */
	if (!has_lasted(LAUNCH_WATCH_WAIT - 1, kernel))
		return;
	note_stuck();
	if (*kernel)
		launch_filter_add(kernel);
	say_once(&said,
		 "kernel %.*s was measured for more than %d s while another thread launched one: "
		 "the two may wait for each other, so the first one has no counters in the log "
		 "from here on",
		 NAME_SHOWN, shown(kernel), LAUNCH_WATCH_WAIT);
}

void launch_watch_look(void)
{
	static int said;
	char kernel[NAME_SIZE];

	if (!__atomic_load_n(&said, __ATOMIC_RELAXED) && has_lasted(TOO_LONG, kernel))
		say_once(&said,
			 "kernel %.*s has been measured for more than %d s: if it waits for "
			 "another kernel, the program hangs; exclude it with 'kernel =' in section "
			 "[filter], or measure no counters",
			 NAME_SHOWN, shown(kernel), TOO_LONG);
}
