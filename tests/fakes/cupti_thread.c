/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "cupti_fake.h"

/* CUPTI's own threads: one returns buffers, and one flushes periodically. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct buffer *queue, **queue_end = &queue;
static unsigned left; /* in the queue or being returned */

static void start(void *(*run)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL))
		abort();
	pthread_detach(thread);
}

static void *deliver(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	for (;;) {
		struct buffer *buffer = queue;

		if (!buffer) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		queue = buffer->next;
		queue_end = queue ? queue_end : &queue;
		pthread_mutex_unlock(&lock);
		buffer_complete(buffer);
		pthread_mutex_lock(&lock);
		left--;
		pthread_cond_broadcast(&changed);
	}
	return NULL;
}

static void start_deliver(void)
{
	start(deliver);
}

void thread_hand_over(struct buffer *buffer)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start_deliver);
	buffer->next = NULL;
	pthread_mutex_lock(&lock);
	*queue_end = buffer;
	queue_end = &buffer->next;
	left++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void thread_wait(void)
{
	pthread_mutex_lock(&lock);
	while (left)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

static uint32_t period; /* ms; 0: off */

static void *flush(void *unused)
{
	(void)unused;
	for (;;) {
		uint32_t now = __atomic_load_n(&period, __ATOMIC_RELAXED);
		uint32_t pause = now ? now : 10;

		nanosleep(&(struct timespec){.tv_sec = pause / 1000,
					     .tv_nsec = pause % 1000 * 1000000L},
			  NULL);
		if (!now || cupti_is_dead())
			continue;
		buffers_lock();
		pending_collect(false);
		buffers_flush_full();
		buffers_unlock(NULL);
	}
	return NULL;
}

static void start_flush(void)
{
	start(flush);
}

void thread_period(uint32_t milliseconds)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	__atomic_store_n(&period, milliseconds, __ATOMIC_RELAXED);
	if (milliseconds)
		pthread_once(&once, start_flush);
}
