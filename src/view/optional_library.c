/* SPDX-License-Identifier: MIT */
#include "view/optional_library.h"

#include <dlfcn.h>
#include <string.h>

/* Most reasons of dlerror begin with the name of the file. */
static const char *reason_of(const struct optional_library *library)
{
	const char *reason = dlerror();
	size_t length = strlen(library->soname);

	if (!reason)
		return "unknown error";
	if (!strncmp(reason, library->soname, length) && !strncmp(reason + length, ": ", 2))
		return reason + length + 2;
	return reason;
}

/* Returns NULL, or the name of the first function that is missing. */
static const char *set_functions(const struct optional_library *library, void *handle)
{
	for (const struct optional_function *each = library->list; each->name; each++) {
		void *address = dlsym(handle, each->name);

		if (!address)
			return each->name;
		memcpy((char *)library->functions + each->offset, &address, sizeof(address));
	}
	return NULL;
}

int optional_library_open(struct optional_library *library, struct strbuf *error)
{
	const char *missing;
	void *handle;

	if (library->is_open)
		return 0;
	handle =
		library->other_soname ? dlopen(library->other_soname, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!handle)
		handle = dlopen(library->soname, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		strbuf_printf(error, "%s (%s, of Debian's package %s) cannot be loaded: %s",
			      library->title, library->soname, library->package,
			      reason_of(library));
		return -1;
	}
	missing = set_functions(library, handle);
	if (missing) {
		strbuf_printf(error, "%s (%s, of Debian's package %s) is too old: it lacks %s",
			      library->title, library->soname, library->package, missing);
		dlclose(handle);
		return -1;
	}
	library->is_open = true;
	return 0;
}
