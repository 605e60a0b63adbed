/* SPDX-License-Identifier: MIT */
#include "base/fork.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static const sigset_t *noted;

void fork_note_mask(const sigset_t *mask)
{
	__atomic_store_n(&noted, mask, __ATOMIC_RELAXED);
}

const sigset_t *fork_mask(void)
{
	return __atomic_load_n(&noted, __ATOMIC_RELAXED);
}

/* glibc's pthread_atfork is in libc_nonshared.a and calls __register_atfork, which musl lacks. Both
 * are found by dlsym: a reference would be resolved in programs that are not profiled, too. */
int fork_watch(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
	int (*register_all)(void (*)(void), void (*)(void), void (*)(void), void *);
	int (*watch)(void (*)(void), void (*)(void), void (*)(void));

	*(void **)&register_all = dlsym(RTLD_DEFAULT, "__register_atfork");
	if (register_all)
		return register_all(before, in_parent, in_child, NULL) ? -1 : 0;
	*(void **)&watch = dlsym(RTLD_DEFAULT, "pthread_atfork");
	return !watch || watch(before, in_parent, in_child) ? -1 : 0;
}
