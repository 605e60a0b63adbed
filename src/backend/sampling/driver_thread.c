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

bool driver_thread_is(const struct stacks *stacks, uint32_t stack)
{
	const struct stack_module *outermost = NULL;
	const struct stack_node *node;

	for (; (node = stacks_node(stacks, stack)); stack = node->parent) {
		const struct stack_module *module = stacks_module(stacks, node->module);

		if (!module || !is_of_system(module))
			outermost = module;
	}
	return outermost && is_driver(outermost);
}
