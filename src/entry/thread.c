/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "backend/sampling/sampler.h"

/* The program's pthread_create: from its first thread on, the CPU time of all of them is sampled,
 * if samples are requested. */

#define ENTRY_POINT __attribute__((visibility("default")))

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

ENTRY_POINT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			       void *(*main)(void *), void *argument)
{
	static create_function *_Atomic next;

	if (!atomic_load(&next))
		atomic_store(&next, (create_function *)dlsym(RTLD_NEXT, "pthread_create"));
	if (!atomic_load(&next))
		return EAGAIN;
	sampler_thread_comes(__builtin_return_address(0));
	return atomic_load(&next)(thread, attributes, main, argument);
}
