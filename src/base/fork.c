/* SPDX-License-Identifier: MIT */
#include "base/fork.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

/* pthread_atfork is in a static part of glibc that needs this symbol; musl does not have it. */
int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *)
	__attribute__((weak));

int fork_watch(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
	int (*watch)(void (*)(void), void (*)(void), void (*)(void));
	void *address;

	if (__register_atfork)
		return __register_atfork(before, in_parent, in_child, NULL) ? -1 : 0;
	address = dlsym(RTLD_DEFAULT, "pthread_atfork");
	if (!address)
		return -1;
	*(void **)&watch = address;
	return watch(before, in_parent, in_child) ? -1 : 0;
}
