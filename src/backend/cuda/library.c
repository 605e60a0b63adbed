/* SPDX-License-Identifier: MIT */
#include "backend/cuda/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "backend/cuda/functions.h"
#include "backend/cuda/places.h"
#include "base/say.h"

/* One sentence is all that the user gets: that of the first library that was there but would not
 * do, since it is the one that was most likely meant. */
struct trial {
	int (*start)(void);
	char reason[512];
};

static uint32_t version;

uint32_t library_version(void)
{
	return version;
}

const char *library_error(int result)
{
	const char *text = NULL;

	if (!cupti.GetResultString || cupti.GetResultString(result, &text) || !text)
		return "an error";
	return text;
}

static const char *path_of(void *library, const char *name)
{
	struct link_map *map;

	return dlinfo(library, RTLD_DI_LINKMAP, &map) || !*map->l_name ? name : map->l_name;
}

static int fail(struct trial *trial, const char *path, const char *what, const char *detail)
{
	if (!*trial->reason)
		snprintf(trial->reason, sizeof(trial->reason), "%.300s%s%.100s", path, what,
			 detail);
	return 0;
}

/* A tool of NVIDIA's, or a program's own profiler, has CUPTI for itself. */
static int fail_for_another(struct trial *trial)
{
	snprintf(trial->reason, sizeof(trial->reason),
		 "another profiler in this program has taken CUPTI");
	return -1;
}

static int try(const char *name, void *argument)
{
	struct trial *trial = argument;
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	const char *path, *missing;
	int result;

	if (!library) {
		/* That there is none by this name is news only if it was asked for. */
		const char *error = dlerror();

		return places_choice() ? fail(trial, error ? error : name, "", "") : 0;
	}
	path = path_of(library, name);
	if (strstr(path, "/stubs/"))
		return 0;
	missing = functions_of_cupti(library);
	if (missing)
		return fail(trial, path, " is no libcupti for us: it lacks ", missing);
	if (cupti.GetVersion(&version))
		version = 0;
	result = trial->start();
	if (result == CUPTI_DONE)
		return 1;
	if (result == CUPTI_MULTIPLE_SUBSCRIBERS || result == CUPTI_MAX_LIMIT_REACHED)
		return fail_for_another(trial);
	return fail(trial, path, " answers ", library_error(result));
}

int library_open(int (*start)(void))
{
	struct trial trial = {.start = start};

	if (places_walk(try, &trial) == 1)
		return 0;
	if (*trial.reason)
		say("CUDA is in no log: %s", trial.reason);
	else
		say("CUDA is in no log: there is no libcupti; COMPUTEPROF_CUPTI can name one");
	return -1;
}
