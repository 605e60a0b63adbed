/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sched.h>

#include "base/ring.h"
#include "profiled_program.h"

/*
 * races ring|session|fork: the program that helgrind checks. In each part, threads do at the same
 * time what may be done at the same time; the log of the working directory then has the number of
 * rows that helgrind.test expects. Nothing waits for a time. The counters between the threads are
 * RELAXED, so they make no order that could hide a race.
 */
#define RELAXED memory_order_relaxed

enum { FRAMES = 3000, FRAME = 24, KIND = 7, CAPACITY = 1024 };
enum { THREADS = 3, EACH = 300, FULL = 2000, SHORT = 20, FORKS = 5 };
enum { STOPPED = 1, LAST, ENDED };

static void make_thread(pthread_t *thread, void *(*body)(void *), void *argument)
{
	if (pthread_create(thread, NULL, body, argument))
		_exit(3);
}

static void *produce(void *ring)
{
	for (uint64_t i = 0; i < FRAMES; i++) {
		uint64_t *frame;

		while (!(frame = ring_reserve(ring, FRAME)))
			sched_yield();
		frame[0] = FRAME | (uint64_t)KIND << 32;
		frame[1] = i;
		frame[2] = ~i;
		ring_commit(ring, FRAME);
	}
	return NULL;
}

static void ring_part(void)
{
	struct ring *ring = calloc(1, sizeof(*ring) + CAPACITY);
	pthread_t producer;

	ring_init(ring, sizeof(*ring) + CAPACITY);
	make_thread(&producer, produce, ring);
	for (uint64_t i = 0; i < FRAMES; i++) {
		const uint64_t *frame;

		while (!(frame = ring_peek(ring)))
			sched_yield();
		if (frame[1] != i || frame[2] != ~i)
			_exit(4);
		ring_consume(ring);
	}
	pthread_join(producer, NULL);
	free(ring);
}

static void intern(uint64_t serial)
{
	char name[32];

	snprintf(name, sizeof(name), "kernel %d", (int)(serial % 100));
	session_name(name, strlen(name));
}

static void *launch_many(void *argument)
{
	uint64_t thread = (uintptr_t)argument;

	for (uint64_t i = 0; i < EACH; i++) {
		launch((uint32_t)thread, thread * EACH + i, i % 7 ? FAKE_DONE : FAKE_SLOW);
		intern(i);
		if (i % 100 == 50) {
			session_context(&(struct context){0});
			session_nudge();
		}
	}
	return NULL;
}

/* More records than its ring holds: it has to help the writer. */
static void *launch_too_many(void *argument)
{
	for (uint64_t i = 0; i < FULL; i++)
		launch(9, i, FAKE_DONE);
	return argument;
}

static void *launch_one(void *argument)
{
	launch(8, (uintptr_t)argument, FAKE_DONE);
	return NULL;
}

static _Atomic int stage;

static void await(int wanted)
{
	while (atomic_load_explicit(&stage, RELAXED) < wanted)
		sched_yield();
}

static void reach(int next)
{
	atomic_store_explicit(&stage, next, RELAXED);
}

/* A thread whose first record comes after the writer has ended, */
static void *launch_last(void *argument)
{
	await(STOPPED);
	launch(7, 0, FAKE_DONE);
	reach(LAST);
	await(ENDED);
	return argument;
}

/* and a thread whose first record comes after the end of the session. */
static void *launch_late(void *argument)
{
	await(ENDED);
	launch(7, 1, FAKE_DONE);
	return argument;
}

static void session_part(void)
{
	pthread_t threads[THREADS], full, brief, last, late;

	start(new_settings(API_OPENCL, "log"));
	make_thread(&last, launch_last, NULL);
	make_thread(&late, launch_late, NULL);
	make_thread(&full, launch_too_many, NULL);
	for (uintptr_t i = 0; i < THREADS; i++)
		make_thread(&threads[i], launch_many, (void *)i);
	for (uintptr_t i = 0; i < SHORT; i++) {
		make_thread(&brief, launch_one, (void *)i);
		if (i == SHORT / 2)
			session_write_ended(NULL, NULL);
		pthread_join(brief, NULL);
	}
	session_flush();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_join(full, NULL);
	session_stop();
	reach(STOPPED);
	await(LAST);
	session_end();
	reach(ENDED);
	pthread_join(last, NULL);
	pthread_join(late, NULL);
}

static void *intern_on(void *argument)
{
	for (uint64_t i = 0; atomic_load_explicit(&stage, RELAXED) != ENDED; i++)
		intern(i);
	return argument;
}

static void fork_part(void)
{
	pthread_t names;

	start(new_settings(API_OPENCL, "log"));
	make_thread(&names, intern_on, NULL);
	for (int i = 0; i < FORKS; i++) {
		pid_t child;
		int status;

		launch(1, (uint64_t)i, FAKE_DONE);
		child = fork();
		launch(1, (uint64_t)i, FAKE_DONE);
		if (!child) {
			session_stop();
			session_end();
			_exit(0);
		}
		if (waitpid(child, &status, 0) != child || status)
			_exit(5);
	}
	reach(ENDED);
	pthread_join(names, NULL);
	session_stop();
	session_end();
}

int main(int count, char **arguments)
{
	const char *part = count > 1 ? arguments[1] : "";

	if (!strcmp(part, "ring"))
		ring_part();
	else if (!strcmp(part, "session"))
		session_part();
	else if (!strcmp(part, "fork"))
		fork_part();
	else
		return 2;
	return 0;
}
