/* SPDX-License-Identifier: MIT */
#include "backend/opencl/symbol_hook.h"

#include <dlfcn.h>
#include <string.h>

#include "backend/opencl/device.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/opencl.h"
#include "base/linkage.h"
#include "base/say.h"
#include "model/catalog.h"

enum {
	FUNCTIONS = 0
#define WRAP(name) +1
#define USE(name)  +1
#include "backend/opencl/functions.def"
};

/* It changes only under the dynamic linker's lock, or before there is a second thread. */
static struct {
	bool armed;
	bool decided;		    /* an OpenCL library was found */
	bool one_by_one;	    /* its symbols cannot be changed: the slots of each new object
				     * are changed */
	unsigned long long changes; /* number of loaded objects at the last check */
	struct linkage provider;
	ElfW(Sym) * symbols[FUNCTIONS]; /* the redirected symbols */
} direct;

/* The functions that every OpenCL library exports; drivers and other tools' libraries lack some. */
static const char essential[][24] = {
	"clGetPlatformIDs",	  "clCreateContext", "clGetCommandQueueInfo",
	"clEnqueueNDRangeKernel", "clReleaseEvent",  "clGetEventProfilingInfo",
};

static void *entry_of(const struct opencl_function *row)
{
	void (*entry)(void) = functions_entry(row);
	void *address;

	memcpy(&address, &entry, sizeof(address));
	return address;
}

static bool is_own(const struct linkage *linkage)
{
	return linkage_has(linkage, (uintptr_t)&direct);
}

/* Names are bound to the first library in loading order. */
static int find_provider(struct dl_phdr_info *object, size_t size, void *argument)
{
	struct linkage linkage;
	bool *found = argument;

	(void)size;
	if (linkage_read(&linkage, object) || is_own(&linkage))
		return 0;
	for (size_t i = 0; i < sizeof(essential) / sizeof(essential[0]); i++)
		if (!linkage_function(&linkage, essential[i]))
			return 0;
	direct.provider = linkage;
	*found = true;
	return 1;
}

static const struct opencl_function *known(const char *name)
{
	const struct opencl_function *row = strncmp(name, "cl", 2) ? NULL : functions_find(name);

	return row && functions_has_next(row) ? row : NULL;
}

/* Rewrites slots that are bound to the provider's function. Unbound slots are bound through its
 * symbols. */
static void *to_wrapper(const char *name, void *value, void *argument)
{
	const struct opencl_function *row = known(name);

	(void)argument;
	return row && (value == functions_next(row) || direct.one_by_one) ? entry_of(row) : NULL;
}

static void *from_wrapper(const char *name, void *value, void *argument)
{
	const struct opencl_function *row = known(name);

	(void)argument;
	return row && value == entry_of(row) ? functions_next(row) : NULL;
}

/* The provider's calls to itself stay unchanged, including those that are not bound yet. */
static void *to_itself(const char *name, void *value, void *argument)
{
	const struct opencl_function *row = known(name);

	(void)argument;
	return row && linkage_has(&direct.provider, (uintptr_t)value) ? functions_next(row) : NULL;
}

static int walk_others(struct dl_phdr_info *object, size_t size, void *argument)
{
	void *(*const *visit)(const char *, void *, void *) = argument;
	struct linkage linkage;

	(void)size;
	if (!linkage_read(&linkage, object) && !is_own(&linkage) &&
	    linkage.symbols != direct.provider.symbols)
		linkage_walk(&linkage, *visit, NULL);
	return 0;
}

/* Calls `visit` for the slots of all objects except the provider and this library. */
static void walk(void *(*visit)(const char *, void *, void *))
{
	dl_iterate_phdr(walk_others, &visit);
}

static void set_next(void)
{
	for (size_t i = 0; i < FUNCTIONS; i++) {
		const struct opencl_function *row = &opencl_functions[i];

		direct.symbols[i] = linkage_function(&direct.provider, row->name);
		functions_set_next(row, direct.symbols[i] ? linkage_address(&direct.provider,
									    direct.symbols[i])
							  : NULL);
		if (!entry_of(row))
			direct.symbols[i] = NULL;
	}
}

/* Redirects the symbols to the wrappers, or restores them. */
static int redirect(bool to_wrappers)
{
	const ElfW(Sym) *first = NULL, *last = NULL;

	for (size_t i = 0; i < FUNCTIONS; i++) {
		if (!direct.symbols[i])
			continue;
		first = !first || direct.symbols[i] < first ? direct.symbols[i] : first;
		last = !last || direct.symbols[i] > last ? direct.symbols[i] : last;
	}
	if (!first || linkage_unlock(&direct.provider, first, last + 1))
		return -1;
	for (size_t i = 0; i < FUNCTIONS; i++) {
		const struct opencl_function *row = &opencl_functions[i];

		if (direct.symbols[i])
			linkage_redirect(&direct.provider, direct.symbols[i],
					 to_wrappers ? entry_of(row) : functions_next(row));
	}
	linkage_lock(&direct.provider, first, last + 1);
	return 0;
}

static void take(void)
{
	static const char layers[] = "OPENCL_LAYERS";

	if (linkage_mentions(&direct.provider, layers, sizeof(layers)) || !opencl_attach())
		return;
	opencl_set_hooked(true);
	set_next();
	opencl_pin(functions_next(functions_find("clGetPlatformIDs")));
	linkage_walk(&direct.provider, to_itself, NULL);
	direct.one_by_one = redirect(true) != 0;
	if (direct.one_by_one)
		say("the OpenCL library has no layers, and its functions cannot be replaced here: "
		    "functions that the program looks up by name are not logged. Use a loader with "
		    "layers (ocl-icd 2.3, or Khronos's of 2020)");
	walk(to_wrapper);
}

static int count_changes(struct dl_phdr_info *object, size_t size, void *argument)
{
	unsigned long long *changes = argument;

	*changes = size >= offsetof(struct dl_phdr_info, dlpi_subs) ? object->dlpi_adds : 0;
	return 1;
}

/* Examines the objects that were loaded since the last call. */
static void look(void)
{
	unsigned long long changes = 0;

	dl_iterate_phdr(count_changes, &changes);
	if (changes && changes == direct.changes)
		return;
	direct.changes = changes;
	if (direct.decided)
		walk(to_wrapper);
	else
		dl_iterate_phdr(find_provider, &direct.decided);
	if (direct.decided && !opencl_is_hooked())
		take();
}

void symbol_hook_arm(void)
{
	direct.armed = true;
	look();
}

/* Called when an object is initialized, even before this library is. */
#define ENTRY_POINT(name) __asm__(name) __attribute__((visibility("default")))
void direct_loaded(void) ENTRY_POINT("__gmon_start__");

__attribute__((no_sanitize("address", "thread"))) void direct_loaded(void)
{
	if (direct.armed && (!direct.decided || direct.one_by_one))
		look();
}

bool symbol_hook_yield(void)
{
	if (!opencl_is_hooked())
		return true;
	for (uint32_t i = 0; i < CATALOG_DEVICES; i++)
		if (device_by_id(i))
			return false;
	if (redirect(false))
		return false;
	walk(from_wrapper);
	opencl_set_hooked(false);
	return true;
}
