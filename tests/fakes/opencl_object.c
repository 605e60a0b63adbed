/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl.h"

/*
 * Objects and their reference counts. Released objects are never freed, so that a use after release
 * is detected; with the word `reuse`, the next object of the kind takes the place.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The saved signal mask and cancellation state of the lock's owner: both are blocked while a thread
 * has the lock. */
static sigset_t signals;
static int cancel_state, cancel_type;
static struct object *all;
static struct object *released[KINDS];
static bool failed;

static const char *const names[KINDS] = {
	[KIND_PLATFORM] = "platform", [KIND_DEVICE] = "device",	  [KIND_CONTEXT] = "context",
	[KIND_QUEUE] = "queue",	      [KIND_MEM] = "mem",	  [KIND_PROGRAM] = "program",
	[KIND_KERNEL] = "kernel",     [KIND_EVENT] = "event",
	[KIND_COMMAND_BUFFER] = "command buffer",
};

void driver_lock(void)
{
	sigset_t every, before;
	int state, type;

	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	/* When glibc's cancellation signal comes, it checks the type only. */
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&lock);
	signals = before;
	cancel_state = state;
	cancel_type = type;
}

void driver_unlock(const int *unused)
{
	sigset_t before = signals;
	int state = cancel_state, type = cancel_type;

	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
	pthread_setcanceltype(type, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void unlock_after_fork(void)
{
	driver_unlock(NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(driver_lock, unlock_after_fork, unlock_after_fork);
}

void complain(const char *format, ...)
{
	va_list arguments;

	failed = true;
	va_start(arguments, format);
	fputs("fake: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

void *object_make(enum kind kind, size_t size)
{
	struct object *object = released[kind], *older;

	if (script.reuse && object) {
		released[kind] = *(struct object **)(object + 1);
		older = object->older;
		memset(object, 0, size);
	} else {
		object = calloc(1, size + sizeof(void *));
		if (!object)
			abort();
		older = all;
		all = object;
	}
	*object = (struct object){&dispatch, kind, 1, older};
	return object;
}

bool object_is(const void *object, enum kind kind)
{
	const struct object *given = object;

	if (!given)
		return false;
	if (given->kind != kind) {
		complain("a %s is used as %s", names[given->kind], names[kind]);
		return false;
	}
	if (__atomic_load_n(&given->references, __ATOMIC_RELAXED))
		return true;
	complain("use of a released %s", names[kind]);
	return false;
}

void object_retain(void *object)
{
	if (object)
		__atomic_fetch_add(&((struct object *)object)->references, 1, __ATOMIC_RELAXED);
}

static void release_held(struct object *object)
{
	if (object->kind == KIND_QUEUE)
		object_release(((cl_command_queue)object)->context);
	if (object->kind == KIND_PROGRAM) {
		free(((cl_program)object)->options);
		free(((cl_program)object)->log);
		object_release(((cl_program)object)->context);
	}
	if (object->kind == KIND_MEM) {
		free(((cl_mem)object)->bytes);
		object_release(((cl_mem)object)->context);
	}
	if (object->kind == KIND_KERNEL) {
		free(((cl_kernel)object)->name);
		object_release(((cl_kernel)object)->program);
	}
	if (object->kind == KIND_COMMAND_BUFFER)
		command_buffer_drop(object);
	if (object->kind == KIND_EVENT) {
		object_release(((cl_event)object)->queue);
		if (script.holds)
			object_release(((cl_event)object)->kernel);
	}
}

void object_release(void *given)
{
	struct object *object = given;

	if (!object || __atomic_sub_fetch(&object->references, 1, __ATOMIC_RELAXED))
		return;
	release_held(object);
	if (script.reuse) {
		*(struct object **)(object + 1) = released[object->kind];
		released[object->kind] = object;
	}
}

cl_int object_count(void *object, enum kind kind, int change, cl_int invalid)
{
	static int64_t releases;
	LOCKED();

	if (!object_is(object, kind))
		return invalid;
	if (change < 0 && ++releases == script.keep)
		return CL_OUT_OF_RESOURCES;
	if (change > 0)
		object_retain(object);
	else
		object_release(object);
	return CL_SUCCESS;
}

void object_update_queues(bool whole)
{
	for (struct object *object = all; object; object = object->older)
		if (object->kind == KIND_QUEUE && object->references)
			queue_update((cl_command_queue)object, whole);
}

void object_check_end(void)
{
	unsigned left[KINDS] = {0};

	driver_lock();
	/* Running commands hold their objects; these references are the driver's. */
	object_update_queues(true);
	for (struct object *object = all; object; object = object->older)
		left[object->kind] += object->references != 0;
	for (int kind = KIND_CONTEXT; kind < KINDS && !script.leaks; kind++)
		if (left[kind])
			complain("%u of %s left", left[kind], names[kind]);
	driver_unlock(NULL);
	fflush(stderr);
	if (failed)
		_exit(99);
}

cl_int answer(const void *from, size_t need, size_t size, void *value, size_t *size_ret)
{
	static int64_t questions;

	if (script.failat && __atomic_add_fetch(&questions, 1, __ATOMIC_RELAXED) == script.failat) {
		fprintf(stderr, "failed\n");
		return CL_OUT_OF_HOST_MEMORY;
	}
	if (value && size < need)
		return CL_INVALID_VALUE;
	if (value && need)
		memcpy(value, from, need);
	if (size_ret)
		*size_ret = need;
	return CL_SUCCESS;
}

cl_int answer_text(const char *text, size_t size, void *value, size_t *size_ret)
{
	return answer(text, strlen(text) + 1, size, value, size_ret);
}
