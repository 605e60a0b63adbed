/* SPDX-License-Identifier: MIT */
#include "backend/cuda/clients.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "backend/cuda/cuda.h"
#include "base/say.h"

#define ENTRY_POINT __attribute__((visibility("default")))

static atomic_bool registered; /* by another client */

static int copy_path(struct dl_phdr_info *info, size_t size, void *path)
{
	const char *name = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

	(void)size;
	if (!name || strncmp(name, "/libcupti.so", 12) != 0 || strlen(info->dlpi_name) >= PATH_MAX)
		return 0;
	strcpy(path, info->dlpi_name);
	return 1;
}

/* The function of the libcupti that the caller was linked with. It may have been loaded without
 * RTLD_GLOBAL, and is not found behind this library then. */
static void *find_next(const char *name)
{
	void *next = dlsym(RTLD_NEXT, name), *library;
	char path[PATH_MAX] = "";

	if (next || !dl_iterate_phdr(copy_path, path))
		return next;
	library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	next = library ? dlsym(library, name) : NULL;
	if (library)
		dlclose(library);
	return next;
}

bool clients_are_first(void)
{
	return atomic_load(&registered);
}

static bool refuses(void)
{
	static int said;

	if (!cuda_is_usable())
		return false;
	say_once(&said, "the program uses CUPTI, too (as torch.profiler does), but CUPTI has one "
			"client at a time: the program gets error %d",
		 CUPTI_MULTIPLE_SUBSCRIBERS);
	return true;
}

/* The wrapper of a function with these parameters. */
#define PASS(name, types, ...)                                                                     \
	do {                                                                                       \
		int(*next) types;                                                                  \
                                                                                                   \
		if (refuses())                                                                     \
			return CUPTI_MULTIPLE_SUBSCRIBERS;                                         \
		*(void **)&next = find_next(#name);                                                \
		return next ? next(__VA_ARGS__) : CUPTI_NOT_SUPPORTED;                             \
	} while (0)

static int register_functions(cupti_buffer_requested *requested, cupti_buffer_completed *completed)
{
	PASS(cuptiActivityRegisterCallbacks, (cupti_buffer_requested *, cupti_buffer_completed *),
	     requested, completed);
}

ENTRY_POINT int cuptiActivityRegisterCallbacks(cupti_buffer_requested *requested,
					       cupti_buffer_completed *completed)
{
	int result = register_functions(requested, completed);

	if (!result)
		atomic_store(&registered, true);
	return result;
}

ENTRY_POINT int cuptiActivityRegisterTimestampCallback(uint64_t (*stamp)(void))
{
	PASS(cuptiActivityRegisterTimestampCallback, (uint64_t(*)(void)), stamp);
}

ENTRY_POINT int cuptiActivityEnable(uint32_t kind)
{
	PASS(cuptiActivityEnable, (uint32_t), kind);
}

ENTRY_POINT int cuptiActivityDisable(uint32_t kind)
{
	PASS(cuptiActivityDisable, (uint32_t), kind);
}

ENTRY_POINT int cuptiActivityEnableContext(cuda_context context, uint32_t kind)
{
	PASS(cuptiActivityEnableContext, (cuda_context, uint32_t), context, kind);
}

ENTRY_POINT int cuptiActivityDisableContext(cuda_context context, uint32_t kind)
{
	PASS(cuptiActivityDisableContext, (cuda_context, uint32_t), context, kind);
}

ENTRY_POINT int cuptiActivityEnableRuntimeApi(uint32_t callback, uint8_t enable)
{
	PASS(cuptiActivityEnableRuntimeApi, (uint32_t, uint8_t), callback, enable);
}

ENTRY_POINT int cuptiActivityEnableDriverApi(uint32_t callback, uint8_t enable)
{
	PASS(cuptiActivityEnableDriverApi, (uint32_t, uint8_t), callback, enable);
}

ENTRY_POINT int cuptiFinalize(void)
{
	PASS(cuptiFinalize, (void));
}
