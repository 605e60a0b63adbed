/* SPDX-License-Identifier: MIT */
#include "backend/nvtx/stack.h"

#include <pthread.h>
#include <stdlib.h>

struct range {
	uint64_t id;
	uint32_t domain;
	int32_t level;
};

struct stack {
	uint32_t count;
	uint32_t room;
	struct range ranges[];
};

static __thread struct stack *own __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static int has_key;

static void forget(void *stack)
{
	own = NULL;
	free(stack);
}

static void make_key(void)
{
	has_key = !pthread_key_create(&key, forget);
}

/* Registers the stack to be freed when the thread ends. */
static int keep(struct stack *stack)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_key);
	if (!has_key || pthread_setspecific(key, stack))
		return -1;
	own = stack;
	return 0;
}

static int grow(void)
{
	enum { FIRST = 16 };
	uint32_t room = own ? 2 * own->room : FIRST;
	struct stack *stack;

	if (room > STACK_DEPTH)
		return -1;
	stack = realloc(own, sizeof(*stack) + room * sizeof(stack->ranges[0]));
	if (!stack)
		return -1;
	if (!own)
		stack->count = 0;
	own = stack;
	stack->room = room;
	if (!keep(stack))
		return 0;
	forget(stack);
	return -1;
}

static struct range *newest(uint32_t domain)
{
	for (uint32_t i = own ? own->count : 0; i > 0; i--)
		if (own->ranges[i - 1].domain == domain)
			return &own->ranges[i - 1];
	return NULL;
}

int stack_push(uint32_t domain, uint64_t id)
{
	const struct range *below = newest(domain);
	int32_t level = below ? below->level + 1 : 0;

	if ((!own || own->count == own->room) && grow())
		return -1;
	own->ranges[own->count++] = (struct range){id, domain, level};
	return level;
}

int stack_pop(uint32_t domain, uint64_t *id)
{
	struct range *range = newest(domain);
	int level;

	if (!range)
		return -1;
	level = range->level;
	*id = range->id;
	own->count--;
	for (; range < own->ranges + own->count; range++)
		range[0] = range[1];
	return level;
}
