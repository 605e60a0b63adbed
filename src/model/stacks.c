/* SPDX-License-Identifier: MIT */
#include "model/stacks.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"

uint32_t stacks_add_node(struct stacks *stacks, const struct stack_node *node)
{
	uint32_t count = stacks->node_count;

	if (count == STACK_NODES || node->parent > count || node->module > stacks->module_count)
		return 0;
	if (!stacks->nodes)
		stacks->nodes = memory_map(STACK_NODES * sizeof(*stacks->nodes));
	if (!stacks->nodes)
		return 0;
	stacks->nodes[count] = *node;
	__atomic_store_n(&stacks->node_count, count + 1, __ATOMIC_RELEASE);
	return count + 1;
}

uint32_t stacks_add_module(struct stacks *stacks, const struct stack_module *module)
{
	uint32_t count = stacks->module_count;
	char *path;

	if (count == STACK_MODULES || module->length > STACK_PATH ||
	    module->build_id_length > BUILD_ID_SIZE)
		return 0;
	if (!stacks->modules)
		stacks->modules = memory_map(STACK_MODULES * sizeof(*stacks->modules));
	path = stacks->modules ? memory_map(module->length + 1) : NULL;
	if (!path)
		return 0;
	memcpy(path, module->path, module->length);
	stacks->modules[count] = *module;
	stacks->modules[count].path = path;
	__atomic_store_n(&stacks->module_count, count + 1, __ATOMIC_RELEASE);
	return count + 1;
}

const struct stack_node *stacks_node(const struct stacks *stacks, uint32_t id)
{
	uint32_t count = __atomic_load_n(&stacks->node_count, __ATOMIC_ACQUIRE);

	return id && id <= count ? &stacks->nodes[id - 1] : NULL;
}

const struct stack_module *stacks_module(const struct stacks *stacks, uint32_t id)
{
	uint32_t count = __atomic_load_n(&stacks->module_count, __ATOMIC_ACQUIRE);

	return id && id <= count ? &stacks->modules[id - 1] : NULL;
}

void stacks_free(struct stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->module_count; i++)
		memory_unmap((void *)(uintptr_t)stacks->modules[i].path,
			     stacks->modules[i].length + 1);
	memory_unmap(stacks->modules, STACK_MODULES * sizeof(*stacks->modules));
	memory_unmap(stacks->nodes, STACK_NODES * sizeof(*stacks->nodes));
	*stacks = (struct stacks){0};
}
