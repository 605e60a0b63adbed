/* SPDX-License-Identifier: MIT */
#ifndef MODEL_STACKS_H
#define MODEL_STACKS_H

#include "model/frames.h"

/*
 * The call stacks of a trace, filled from STACK and MODULE frames, which are untrusted. A parent is
 * known before its children and an id is set once, so nodes form trees.
 */
enum {
	STACKS_NODES = 1 << 22,   /* ids are below */
	STACKS_MODULES = 1 << 16, /* ids are below */
	STACKS_DEPTH = 4096,      /* nodes from the outermost one to another, at most */
};

struct stack_node {
	uint32_t parent;
	uint32_t module;
	uint32_t name;
	uint16_t flags; /* enum stack_flag */
	uint16_t depth; /* 1 for the outermost node; 0: the id is not used */
	uint64_t offset;
};

struct stack_module {
	const char *path; /* up to its first NUL */
	uint32_t build_id_length;
	uint8_t build_id[BUILD_ID_SIZE];
};

struct stacks;

/* Returns NULL without memory. */
struct stacks *stacks_new(void);
void stacks_free(struct stacks *stacks);

/* Return 0; -1 without memory, or if the frame is invalid: an id that is 0, too high or in use, an
 * unknown parent or module, too many nodes above it, or a text beyond the frame. */
int stacks_add_node(struct stacks *stacks, const struct stack_frame *frame);
int stacks_add_module(struct stacks *stacks, const struct module_frame *frame);

/* Return NULL for 0 and for an unknown id; stacks may be NULL. */
const struct stack_node *stacks_node(const struct stacks *stacks, uint32_t id);
const struct stack_module *stacks_module(const struct stacks *stacks, uint32_t id);

#endif
