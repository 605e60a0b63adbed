/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/env.h"

/* Weak: the library must also load with C libraries that lack it. */
#pragma weak secure_getenv

const char *env_get(const char *name)
{
	if (secure_getenv)
		return secure_getenv(name);
	return getauxval(AT_SECURE) ? NULL : getenv(name);
}

enum { MOST = 12 };

static struct {
	const char *name;
	const char *value; /* or NULL */
} kept[MOST];

void env_keep(const char *name)
{
	const char *value = env_get(name);

	for (int i = 0; i < MOST; i++) {
		if (kept[i].name)
			continue;
		kept[i].name = name;
		kept[i].value = value ? strdup(value) : NULL;
		return;
	}
}

const char *env_kept(const char *name)
{
	for (int i = 0; i < MOST && kept[i].name; i++)
		if (!strcmp(kept[i].name, name))
			return kept[i].value;
	return env_get(name);
}
