/* SPDX-License-Identifier: MIT */
#include "backend/cuda/launch_stacks.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/say.h"
#include "session/stacks.h"

enum { SLOTS = 1 << 17, JOINED = 1 << 12 };

bool launch_stacks_on;

/* The id, or a hash of it, in the upper half, its stack in the lower half. */
struct stack_tables {
	_Atomic uint64_t calls[SLOTS];
	_Atomic uint64_t nodes[SLOTS]; /* of graphs */
	struct {
		uint64_t both; /* stacks of launch and node */
		uint32_t stack;
	} joined[JOINED]; /* guarded by the drain lock */
};

static struct stack_tables *_Atomic tables; /* NULL: no stacks are requested */

static struct stack_tables *get_tables(void)
{
	return atomic_load_explicit(&tables, memory_order_acquire);
}

static _Atomic uint64_t *slot_of(uint32_t correlation)
{
	struct stack_tables *all = get_tables();

	return all ? &all->calls[correlation % SLOTS] : NULL;
}

static uint64_t hash_of(uint64_t value)
{
	value *= UINT64_C(0x9e3779b97f4a7c15);
	return value ^ value >> 29;
}

bool launch_stacks_start(const struct settings *settings)
{
	struct stack_tables *none = NULL, *all;

	if (!settings->stacks || !settings_keeps_stacks(settings))
		return false;
	all = memory_map(sizeof(*all));
	if (!all) {
		say_no_memory();
		return false;
	}
	if (!atomic_compare_exchange_strong(&tables, &none, all)) {
		memory_unmap(all, sizeof(*all));
		return false;
	}
	__atomic_store_n(&launch_stacks_on, true, __ATOMIC_RELEASE);
	return true;
}

/* A call of the driver inside one of the runtime API has the same id: the outer one is first. */
void launch_stacks_note(const struct cupti_call *call)
{
	_Atomic uint64_t *slot = slot_of(call->correlation);

	if (!slot || call->site != CUPTI_ENTER || !call->correlation ||
	    atomic_load_explicit(slot, memory_order_relaxed) >> 32 == call->correlation)
		return;
	atomic_store_explicit(slot, (uint64_t)call->correlation << 32 | stacks_here(),
			      memory_order_release);
}

uint32_t launch_stacks_of(uint32_t correlation)
{
	_Atomic uint64_t *slot = slot_of(correlation);
	uint64_t value = slot ? atomic_load_explicit(slot, memory_order_acquire) : 0;

	return value >> 32 == correlation ? (uint32_t)value : 0;
}

/* Returns the slot of the node, and in *tag its upper half. Node ids have 64 bits; in a table of
 * recent ones, 32 bits of a hash that the slot's number does not have are enough. */
static _Atomic uint64_t *slot_of_node(uint64_t node, uint64_t *tag)
{
	struct stack_tables *all = get_tables();
	uint64_t hash = hash_of(node);

	*tag = hash >> 32 << 32;
	return all ? &all->nodes[hash % SLOTS] : NULL;
}

static uint32_t stack_of_node(uint64_t node)
{
	uint64_t tag, value;
	_Atomic uint64_t *slot = slot_of_node(node, &tag);

	value = slot ? atomic_load_explicit(slot, memory_order_acquire) : 0;
	return value >> 32 << 32 == tag ? (uint32_t)value : 0;
}

static void set_stack_of_node(uint64_t node, uint32_t stack)
{
	uint64_t tag;
	_Atomic uint64_t *slot = slot_of_node(node, &tag);

	if (slot && stack)
		atomic_store_explicit(slot, tag | stack, memory_order_release);
}

void launch_stacks_node(uint64_t node)
{
	set_stack_of_node(node, stacks_here());
}

void launch_stacks_node_copied(uint64_t node, uint64_t original)
{
	set_stack_of_node(node, stack_of_node(original));
}

uint32_t launch_stacks_in_graph(uint32_t launch, uint64_t node)
{
	struct stack_tables *all = get_tables();
	uint32_t made = stack_of_node(node);
	uint64_t both = (uint64_t)launch << 32 | made, at = hash_of(both) >> 32 & (JOINED - 1);

	if (!all || !launch || !made)
		return launch;
	if (all->joined[at].both != both) {
		all->joined[at].stack = stacks_join(launch, made, "[graph node]");
		all->joined[at].both = both;
	}
	return all->joined[at].stack;
}
