/* SPDX-License-Identifier: MIT */
#include "backend/cuda/libcupti.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "backend/cuda/functions.h"
#include "backend/cuda/libcupti_path.h"
#include "backend/cuda/old_devices.h"
#include "base/say.h"

/* The message is about the first library that was found but not usable. */
struct open_attempt {
	bool any; /* accepts one without support for old devices, too */
	char reason[512];
};

static uint32_t version;
static char opened[300]; /* its path */

uint32_t libcupti_version(void)
{
	return version;
}

bool library_needs_driver(void)
{
	return version >= CUPTI_OF_13_2 && version < CUPTI_OF_13_3;
}

/* From CUDA 13.2 on CUPTI has no texts without a driver. */
const char *libcupti_error(int result)
{
	enum { NUMBERS = 16 };
	static char numbers[NUMBERS][32];
	static _Atomic unsigned next;
	const char *text = NULL;
	char *number;

	if (cupti.GetResultString && !cupti.GetResultString(result, &text) && text)
		return text;
	number = numbers[atomic_fetch_add(&next, 1) % NUMBERS];
	snprintf(number, sizeof(numbers[0]), "error %d", result);
	return number;
}

static const char *path_of(void *library, const char *name)
{
	struct link_map *map;

	return dlinfo(library, RTLD_DI_LINKMAP, &map) || !*map->l_name ? name : map->l_name;
}

static int fail(struct open_attempt *trial, const char *path, const char *what, const char *detail)
{
	if (!*trial->reason)
		snprintf(trial->reason, sizeof(trial->reason), "%.300s%s%.100s", path, what,
			 detail);
	return 0;
}

/* Returns the major release of CUDA; 0 if unknown. */
static int major_of(uint32_t api)
{
	static const struct {
		uint32_t api;
		int major;
	} firsts[] = {{19, 12}, {13, 11}, {11, 10}, {10, 9}, {9, 8}, {8, 7}};

	if (api >= 10000)
		return (int)(api / 10000);
	for (size_t i = 0; i < sizeof(firsts) / sizeof(*firsts); i++)
		if (api >= firsts[i].api)
			return firsts[i].major;
	return 0;
}

/* CUPTI does not work with an older driver; an older toolkit may be installed, too. */
static bool is_too_new(void)
{
	int known = 0;

	if (libcupti_path_choice() || !driver.cuDriverGetVersion ||
	    driver.cuDriverGetVersion(&known))
		return false;
	return known > 0 && major_of(version) > known / 1000;
}

/* Opens a library and checks that it is a libcupti; sets its path. Returns false, and notes a
 * reason, if it is not. */
static bool open_library(struct open_attempt *trial, const char *name, const char **path)
{
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	const char *missing, *error;

	if (!library) {
		/* A missing library is only reported if the user named it. */
		error = dlerror();
		if (libcupti_path_choice())
			fail(trial, error ? error : name, "", "");
		return false;
	}
	*path = path_of(library, name);
	if (strstr(*path, "/stubs/")) {
		fail(trial, *path, " is a stub", "");
		return false;
	}
	missing = functions_of_cupti(library);
	if (missing) {
		fail(trial, *path, " is not a usable libcupti: it lacks ", missing);
		return false;
	}
	return true;
}

/* Without a driver, the functions of CUDA 13.2 must not be called, and those of later releases
 * fail. The exact version is read when the driver has started. */
static void find_version(void)
{
	version = functions_version_by_exports(functions_library());
	if (!version && cupti.GetVersion(&version))
		version = 0;
}

/* From CUDA 13 on CUPTI does not support old devices. A libcupti that the program has loaded itself
 * is used nevertheless: two of them must not be used in a process. */
static bool lacks_devices(bool is_loaded)
{
	return major_of(version) >= 13 && !is_loaded && !libcupti_path_choice() &&
	       old_devices_exist();
}

static bool is_in_process(const char *name)
{
	void *library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library != NULL;
}

/* The first libcupti that fits driver and devices is used: a second one must not be used in the
 * process. */
static int try(const char *name, void *argument)
{
	struct open_attempt *trial = argument;
	bool is_loaded = !trial->any && is_in_process(name);
	const char *path;

	if (!open_library(trial, name, &path))
		return 0;
	find_version();
	if (is_too_new())
		return fail(trial, path, " is too new for the driver", "");
	if (!trial->any && lacks_devices(is_loaded))
		return 0;
	snprintf(opened, sizeof(opened), "%s", path);
	return 1;
}

int libcupti_open(void)
{
	struct open_attempt trial = {.reason = ""};

	if (libcupti_path_walk(try, &trial) == 1)
		return 0;
	trial.any = true;
	if (libcupti_path_walk(try, &trial) == 1)
		return 0;
	if (*trial.reason)
		say("CUDA is not logged: %s", trial.reason);
	else
		say("CUDA is not logged: no libcupti found; set COMPUTEPROF_CUPTI to one");
	return -1;
}

bool library_may_wait(int result)
{
	return version >= CUPTI_OF_13_2 &&
	       (result == CUPTI_UNKNOWN || result == CUPTI_NOT_INITIALIZED ||
		result == CUPTI_INVALID_DEVICE);
}

int library_start(int (*start)(void))
{
	uint32_t exact = 0;

	if (!cupti.GetVersion(&exact) && exact)
		version = exact;
	return start();
}

void library_say_refused(int result)
{
	/* Another tool of NVIDIA, or a profiler in the program, uses CUPTI. */
	if (result == CUPTI_MULTIPLE_SUBSCRIBERS || result == CUPTI_MAX_LIMIT_REACHED)
		say("CUDA is not logged: another profiler in this program uses CUPTI");
	else
		say("CUDA is not logged: %s returns %s", opened, libcupti_error(result));
}

void library_say_no_driver(void)
{
	say("CUDA is not logged: %s (CUDA 13.2) needs a driver, and there is none", opened);
}
