/* SPDX-License-Identifier: MIT */
#include "cuptilib.h"

#include <dlfcn.h>
#include <stdlib.h>

static const char *const names[] = {
	"libcupti.so.13",
	"libcupti.so.12",
	"libcupti.so.11.8",
	"libcupti.so.11.2",
	"libcupti.so.10.2",
	"libcupti.so",
	"/usr/local/cuda/lib64/libcupti.so",
	"/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
	NULL,
};

static void *open_first(const char **path)
{
	void *handle = NULL;

	*path = getenv("COMPUTEPROF_CUPTI");
	if (*path && **path)
		return dlopen(*path, RTLD_NOW | RTLD_LOCAL);
	for (const char *const *name = names; *name && !handle; name++) {
		*path = *name;
		handle = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
	}
	return handle;
}

int cuptilib_open(struct cuptilib *library)
{
	void *handle = open_first(&library->path);

	if (!handle)
		return -1;
	library->handle = handle;
	*(void **)&library->GetVersion = dlsym(handle, "cuptiGetVersion");
	*(void **)&library->Subscribe = dlsym(handle, "cuptiSubscribe");
	*(void **)&library->Unsubscribe = dlsym(handle, "cuptiUnsubscribe");
	library->ranges = dlsym(handle, "cuptiRangeProfilerEnable") != NULL;
	return library->GetVersion && library->Subscribe && library->Unsubscribe ? 0 : -1;
}
