/* SPDX-License-Identifier: MIT */
#include "model/stacks.h"

#include <string.h>

#include "base/memory.h"

/* Mapped lazily. */
struct stacks {
	struct names *paths;
	struct stack_module modules[STACKS_MODULES];
	struct stack_node nodes[STACKS_NODES];
};

struct stacks *stacks_new(void)
{
	struct stacks *stacks = memory_map(sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->paths = names_new();
	if (stacks->paths)
		return stacks;
	stacks_free(stacks);
	return NULL;
}

void stacks_free(struct stacks *stacks)
{
	if (!stacks)
		return;
	names_free(stacks->paths);
	memory_unmap(stacks, sizeof(*stacks));
}

int stacks_add_node(struct stacks *stacks, const struct stack_frame *frame)
{
	const struct stack_node *parent = stacks_node(stacks, frame->parent);
	unsigned int depth = parent ? parent->depth + 1u : 1;

	if (!frame->id || frame->id >= STACKS_NODES || stacks->nodes[frame->id].depth ||
	    (frame->parent && !parent) || depth > STACKS_DEPTH ||
	    (frame->module && !stacks_module(stacks, frame->module)))
		return -1;
	stacks->nodes[frame->id] = (struct stack_node){
		.parent = frame->parent,
		.module = frame->module,
		.name = frame->name,
		.flags = frame->frame.flags,
		.depth = (uint16_t)depth,
		.offset = frame->offset,
	};
	return 0;
}

int stacks_add_module(struct stacks *stacks, const struct module_frame *frame)
{
	struct stack_module *module = &stacks->modules[frame->id < STACKS_MODULES ? frame->id : 0];
	uint32_t path;

	if (module == stacks->modules || module->path || frame->build_id_length > BUILD_ID_SIZE ||
	    frame->length > frame->frame.size - offsetof(struct module_frame, path))
		return -1;
	path = names_intern(stacks->paths, frame->path, frame->length);
	if (!path)
		return -1;
	module->path = names_text(stacks->paths, path, NULL);
	module->build_id_length = frame->build_id_length;
	memcpy(module->build_id, frame->build_id, frame->build_id_length);
	return 0;
}

const struct stack_node *stacks_node(const struct stacks *stacks, uint32_t id)
{
	if (!stacks || !id || id >= STACKS_NODES || !stacks->nodes[id].depth)
		return NULL;
	return &stacks->nodes[id];
}

const struct stack_module *stacks_module(const struct stacks *stacks, uint32_t id)
{
	if (!stacks || !id || id >= STACKS_MODULES || !stacks->modules[id].path)
		return NULL;
	return &stacks->modules[id];
}
