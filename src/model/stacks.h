/* SPDX-License-Identifier: MIT */
#ifndef MODEL_STACKS_H
#define MODEL_STACKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The call stacks of one process: nodes, each a frame and the node of its caller, and the ELF files
 * that have their code. Ids count from 1 in the order of addition; 0 is none. One thread at a time
 * may add (callers lock). Entries never move or change, so readers need no lock.
 */
enum { STACK_NODES = 1 << 18, STACK_MODULES = 1 << 12, STACK_PATH = 4096 };
enum { BUILD_ID_SIZE = 32 /* longer ones are cut off */ };

struct stack_node {
	uint32_t parent;
	uint32_t module; /* these as in struct stack_frame */
	uint32_t name;
	bool exact;
	uint64_t offset;
};

struct stack_module {
	const char *path; /* any bytes, with a NUL after them */
	uint32_t length;
	uint32_t build_id_length;
	uint8_t build_id[BUILD_ID_SIZE];
};

struct stacks {
	struct stack_node *nodes;     /* room for STACK_NODES, mapped at the first one */
	struct stack_module *modules; /* room for STACK_MODULES, likewise */
	uint32_t node_count;
	uint32_t module_count;
};

/* Copy the node, or the module with its path. Return the id; 0 if it refers to an unknown id, if
 * there is no room, or without memory. */
uint32_t stacks_add_node(struct stacks *stacks, const struct stack_node *node);
uint32_t stacks_add_module(struct stacks *stacks, const struct stack_module *module);

/* Return NULL for 0 and for an unknown id. */
const struct stack_node *stacks_node(const struct stacks *stacks, uint32_t id);
const struct stack_module *stacks_module(const struct stacks *stacks, uint32_t id);

void stacks_free(struct stacks *stacks);

#endif
