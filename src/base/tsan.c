/* SPDX-License-Identifier: MIT */
#include "base/tsan.h"

#include <dlfcn.h>

void (*tsan_release_function)(void *address);
void (*tsan_acquire_function)(void *address);

void tsan_look(void)
{
	void *release = dlsym(RTLD_DEFAULT, "__tsan_release");
	void *acquire = dlsym(RTLD_DEFAULT, "__tsan_acquire");

	if (!release || !acquire)
		return;
	*(void **)&tsan_acquire_function = acquire;
	*(void **)&tsan_release_function = release;
}
