/* SPDX-License-Identifier: MIT */
#include "backend/sampling/driver_thread.h"

#include <stddef.h>
#include <string.h>

enum { NAME = 16 };

static bool begins_with(const struct stack_module *module, const char (*names)[NAME], size_t count)
{
	const char *slash = strrchr(module->path, '/');
	const char *name = slash ? slash + 1 : module->path;

	for (size_t i = 0; i < count; i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* The libraries whose functions start a thread. */
static bool is_of_system(const struct stack_module *module)
{
	static const char names[][NAME] = {"libc.so", "libc-", "libpthread", "ld-", "libstdc++"};

	return begins_with(module, names, sizeof(names) / sizeof(names[0]));
}

static bool is_driver(const struct stack_module *module)
{
	static const char names[][NAME] = {"libpocl", "libintelocl", "libcpu_device",
					   "liboclgrind"};

	return begins_with(module, names, sizeof(names) / sizeof(names[0]));
}

/* Returns the begin of the last part of a path, and sets `length` to that of the path before. */
static const char *last_part(const char *path, size_t *length)
{
	size_t at = *length;

	while (at && path[at - 1] != '/')
		at--;
	*length = at ? at - 1 : 0;
	return path + at;
}

/* A kernel that PoCL has compiled: ".../NAME/128-1-1-goffs0/NAME.so". Such code may have neither
 * tables for the walker nor frame pointers, so that the driver's frames are passed over. */
static bool is_kernel(const struct stack_module *module)
{
	static const char end[] = ".so";
	size_t length = module->length, name_length;
	const char *file = last_part(module->path, &length), *sizes, *name;
	size_t digits;

	name_length = module->length - (size_t)(file - module->path);
	if (name_length < sizeof(end) ||
	    memcmp(file + name_length - (sizeof(end) - 1), end, sizeof(end) - 1) != 0)
		return false;
	name_length -= sizeof(end) - 1;
	sizes = last_part(module->path, &length);
	for (int i = 0; i < 3; i++, sizes += digits + 1) {
		digits = strspn(sizes, "0123456789");
		if (!digits || (sizes[digits] != '-' && sizes + digits + 1 != file))
			return false;
	}
	name = last_part(module->path, &length);
	return name_length == strcspn(name, "/") && !memcmp(name, file, name_length);
}

bool driver_thread_is(const struct stacks *stacks, uint32_t stack)
{
	const struct stack_module *outermost = NULL;
	const struct stack_node *node;

	for (; (node = stacks_node(stacks, stack)); stack = node->parent) {
		const struct stack_module *module = stacks_module(stacks, node->module);

		if (!module || !is_of_system(module))
			outermost = module;
	}
	return outermost && (is_driver(outermost) || is_kernel(outermost));
}
