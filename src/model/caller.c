/* SPDX-License-Identifier: MIT */
#include "model/caller.h"

#include <stdio.h>
#include <string.h>

const char *caller_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool caller_is_profiler(const struct stack_module *module)
{
	return module && begins(caller_file(module->path), "libcomputeprof.so");
}

bool caller_is_driver(const struct stack_module *module)
{
	static const char names[][sizeof("libcudart.so")] = {"libcuda.so", "libcudart.so",
							     "libcupti.so", "libOpenCL.so"};

	for (size_t i = 0; module && i < sizeof(names) / sizeof(names[0]); i++)
		if (begins(caller_file(module->path), names[i]))
			return true;
	return false;
}

/* Returns true for files of the system, of an interpreter's library or of a package installed
 * there. */
static bool is_installed(const char *path)
{
	static const char folders[][sizeof("/usr/lib")] = {"/lib", "/usr/lib"};
	static const char parts[][sizeof("/site-packages/")] = {
		"/lib/python", "/lib64/python", "/dist-packages/", "/site-packages/"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (begins(path, folders[i]))
			return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}

/* Code that was generated has a name such as "<generated>"; so has what the user types. */
static bool is_program_source(const char *file)
{
	static const char typed[][sizeof("<ipython-input")] = {"<string>", "<stdin>",
							       "<ipython-input"};

	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++)
		if (begins(file, typed[i]))
			return true;
	return !begins(file, "<") && !is_installed(file);
}

bool caller_is_program(const struct catalog *catalog, const struct stack_node *node)
{
	const struct stack_module *module = stacks_module(&catalog->stacks, node->module);
	uint32_t file = (uint32_t)(node->offset >> 32);

	/* A function of an interpreter has a line or a file; [truncated] has none. */
	if (node->name)
		return node->offset && is_program_source(names_text(catalog->names, file, NULL));
	return module && !begins(module->path, "[") && !is_installed(module->path) &&
	       !caller_is_driver(module) && !caller_is_profiler(module);
}

const struct stack_node *caller_find(const struct catalog *catalog, uint32_t stack)
{
	const struct stack_node *node = stacks_node(&catalog->stacks, stack);

	while (node && !caller_is_program(catalog, node))
		node = stacks_node(&catalog->stacks, node->parent);
	return node;
}

size_t caller_text(const struct catalog *catalog, const struct stack_node *node,
		   char to[CALLER_SIZE])
{
	const struct stack_module *module = stacks_module(&catalog->stacks, node->module);
	const char *file;
	int length;

	if (node->name) {
		file = names_text(catalog->names, (uint32_t)(node->offset >> 32), NULL);
		length = snprintf(to, CALLER_SIZE, "%s (%s:%u)",
				  names_text(catalog->names, node->name, NULL),
				  *file ? caller_file(file) : "?", (uint32_t)node->offset);
	} else {
		length = snprintf(to, CALLER_SIZE, "%s+0x%llx",
				  module ? caller_file(module->path) : "?",
				  (unsigned long long)node->offset);
	}
	return length < CALLER_SIZE ? (size_t)length : CALLER_SIZE - 1;
}
