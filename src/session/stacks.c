/* SPDX-License-Identifier: MIT */
#include "session/stacks.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/memory.h"
#include "base/python.h"
#include "base/say.h"
#include "base/unwind.h"
#include "base/unwind_lookup.h"
#include "model/caller.h"
#include "session/locks.h"
#include "session/registry.h"
#include "session/stack_modules.h"
#include "session/state.h"

enum {
	EDGE_BITS = 14,
	HASH_BITS = 19, /* twice as many as nodes */
	ROOMS = 64,
	PAGES = 256,
	LEVELS = 2, /* a thread, and a signal handler that interrupts it in stacks_here */
};

_Static_assert(1 << HASH_BITS == 2 * STACK_NODES, "the hash table has room");

/* Nodes of frames by their addresses. A word has the node of the caller, whether the address is
 * exact, and the node. */
static struct slot edges[1 << EDGE_BITS];

static atomic_bool prepared; /* stacks can be walked */
static uint32_t cut_name;    /* [truncated] */
static _Atomic uint32_t cut_node;

/* Ids of nodes by what they are; guarded by meta. */
static uint32_t *hash_table;

/* The last stack of a thread, and room for the next one. */
struct last_stack {
	const void *frame; /* of the stacks_here that uses it, NULL: none */
	uint64_t salt;
	uint32_t id;
	uint32_t which; /* the index of the last one in `pcs` */
	size_t count;
	size_t skipped; /* frames of the library at its end */
	uintptr_t pcs[2][UNWIND_MOST];
	uintptr_t pages[PAGES]; /* of python_memory.h, since the salt was `pages_salt` */
	uint64_t pages_salt;
};

/* Of this thread, and of threads that have ended. */
static __thread struct last_stack *own_room __attribute__((tls_model("initial-exec")));
static struct last_stack *_Atomic free_rooms[ROOMS];
static pthread_key_t on_exit;

static uint64_t word_of(uint32_t parent, bool exact, uint32_t id)
{
	return (uint64_t)parent << 32 | (uint64_t)exact << 63 | id;
}

static struct slot *edge_of(uint32_t parent, uintptr_t pc)
{
	return slot_of(edges, EDGE_BITS, pc + ((uint64_t)parent << 20));
}

static uint32_t find_edge(uint32_t parent, uintptr_t pc, bool exact, uint64_t salt)
{
	uint64_t word = slot_read(edge_of(parent, pc), pc, salt);

	return word >> 32 == word_of(parent, exact, 0) >> 32 ? (uint32_t)word : 0;
}

static void set_edge(uint32_t parent, uintptr_t pc, bool exact, uint64_t salt, uint32_t id)
{
	slot_write(edge_of(parent, pc), pc, salt, word_of(parent, exact, id));
}

static uint64_t mix(uint64_t value)
{
	value *= UINT64_C(0x9e3779b97f4a7c15);
	return value ^ value >> 32;
}

/* Returns where the node's id is, or is to be stored. */
static uint32_t *entry_of(const struct stack_node *node)
{
	uint64_t hash = mix(node->offset ^ mix(node->parent ^ (uint64_t)node->module << 32) ^
			    (uint64_t)node->exact << 62);
	uint32_t index = (uint32_t)(hash >> (64 - HASH_BITS));

	for (;; index = (index + 1) % (1U << HASH_BITS)) {
		const struct stack_node *other =
			stacks_node(&globals.catalog.stacks, hash_table[index]);

		if (!other || (other->parent == node->parent && other->module == node->module &&
			       other->offset == node->offset && other->exact == node->exact &&
			       other->name == node->name))
			return &hash_table[index];
	}
}

/* Returns the id of the node. If it is new, it is added, and its frame is to be stored; with `meta`
 * held. */
static uint32_t intern_node(const struct stack_node *node)
{
	uint32_t *entry;

	if (!hash_table)
		hash_table = memory_map(sizeof(*hash_table) << HASH_BITS);
	if (!hash_table)
		return 0;
	entry = entry_of(node);
	if (*entry)
		return *entry;
	*entry = stacks_add_node(&globals.catalog.stacks, node);
	if (*entry)
		frames_put_stack(registry_frames(), &globals.catalog.stacks, *entry);
	return *entry;
}

/* Names are kept in the table of functions, so that each is looked up once. With `meta` held. */
static void set_python(struct stack_node *node, uintptr_t word)
{
	static const char unknown[] = "[python]";
	struct python_function *function = python_function_of(word);

	if (function && !function->name_id) {
		function->file_id = registry_text(function->text + function->name_length,
						  function->file_length);
		function->name_id = registry_text(function->text, function->name_length);
	}
	if (function && function->name_id) {
		node->name = function->name_id;
		node->offset = (uint64_t)function->file_id << 32 | python_line(word);
	} else {
		node->name = registry_text(unknown, sizeof(unknown) - 1);
	}
}

static uint32_t add_frame(uint32_t parent, uintptr_t pc, bool exact, uint64_t salt)
{
	struct stack_node node = {.parent = parent};
	uintptr_t bias;

	if (python_is_frame(pc)) {
		set_python(&node, pc);
		return intern_node(&node);
	}
	node.offset = pc;
	node.exact = exact;
	node.module = stack_modules_find(pc - !exact, salt, &bias);
	if (node.module)
		node.offset -= bias;
	return intern_node(&node);
}

/* As stacks_intern, for frames some of which are new. Other threads find the nodes when they are in
 * the ring file. */
static uint32_t add_frames(const uintptr_t *pcs, size_t count, bool exact, uint32_t parent,
			   uint64_t salt)
{
	uint32_t ids[UNWIND_MOST], id = parent;
	size_t left = count;

	exact = exact && !python_is_frame(pcs[0]);
	meta_lock();
	while (left) {
		id = add_frame(id, pcs[left - 1], exact && left == 1, salt);
		if (!id)
			break;
		ids[--left] = id;
	}
	registry_store();
	meta_unlock();
	for (size_t i = left; i < count; i++)
		set_edge(i + 1 < count ? ids[i + 1] : parent, pcs[i], exact && !i, salt, ids[i]);
	if (left)
		atomic_fetch_add(&globals.stacks_refused, 1);
	return left < count ? ids[left] : parent;
}

static uint64_t current_salt(void)
{
	return atomic_load_explicit(&unwind_salt, memory_order_acquire);
}

/* Returns the node above stacks that have been cut off, 0 without memory. */
static uint32_t truncated(void)
{
	uint32_t id = atomic_load_explicit(&cut_node, memory_order_acquire);

	if (id)
		return id;
	meta_lock();
	id = intern_node(&(struct stack_node){.name = cut_name});
	registry_store();
	meta_unlock();
	atomic_store_explicit(&cut_node, id, memory_order_release);
	return id;
}

uint32_t stacks_intern(const uintptr_t *pcs, size_t count, unsigned flags)
{
	uint64_t salt = current_salt();
	uint32_t parent = flags & STACKS_CUT ? truncated() : 0, id;

	while (count--) {
		bool here = flags & STACKS_EXACT && !count && !python_is_frame(pcs[0]);

		id = find_edge(parent, pcs[count], here, salt);
		if (!id)
			return add_frames(pcs, count + 1, flags & STACKS_EXACT, parent, salt);
		parent = id;
	}
	return parent;
}

static bool is_driver(const struct stacks *stacks, uint32_t id)
{
	const struct stack_node *node = stacks_node(stacks, id);

	return node && caller_is_driver(stacks_module(stacks, node->module));
}

uint32_t stacks_join(uint32_t outer, uint32_t inner, const char *between)
{
	const struct stacks *stacks = &globals.catalog.stacks;
	uint32_t path[UNWIND_MOST], parent = outer, id;
	struct stack_node node;
	size_t count = 0, depth = 1;

	while (is_driver(stacks, parent) && is_driver(stacks, stacks_node(stacks, parent)->parent))
		parent = stacks_node(stacks, parent)->parent;
	for (id = parent; id; id = stacks_node(stacks, id)->parent)
		depth++;
	for (id = inner; id && depth + count < UNWIND_MOST; id = stacks_node(stacks, id)->parent)
		path[count++] = id;
	if (id)
		return outer;
	meta_lock();
	node = (struct stack_node){.parent = parent};
	node.name = registry_text(between, strlen(between));
	id = node.name ? intern_node(&node) : 0;
	while (id && count) {
		node = *stacks_node(stacks, path[--count]);
		node.parent = id;
		id = intern_node(&node);
	}
	registry_store();
	meta_unlock();
	return id ? id : outer;
}

/* The thread has ended, possibly in a signal handler that interrupted stacks_here: another one may
 * use its room. */
static void leave_room(void *left)
{
	struct last_stack *room = left, *none;

	own_room = NULL;
	for (int level = 0; level < LEVELS; level++)
		room[level].frame = NULL;
	for (size_t i = 0; i < ROOMS; i++) {
		none = NULL;
		if (atomic_compare_exchange_strong(&free_rooms[i], &none, room))
			return;
	}
	memory_unmap(room, LEVELS * sizeof(*room));
}

/* Returns the room of this thread's stacks, NULL without memory. */
static struct last_stack *room_of_thread(void)
{
	struct last_stack *room = NULL;

	if (own_room)
		return own_room;
	for (size_t i = 0; i < ROOMS && !room; i++)
		if (atomic_load(&free_rooms[i]))
			room = atomic_exchange(&free_rooms[i], NULL);
	if (!room)
		room = memory_map(LEVELS * sizeof(*room));
	own_room = room;
	pthread_setspecific(on_exit, room);
	return room;
}

/* Returns true if the call of stacks_here that uses the room has not been left by longjmp: see
 * was_jumped_over in probe.c. */
static bool is_in_use(const struct last_stack *room, const void *frame)
{
	stack_t stack;

	if (!room->frame)
		return false;
	if ((const char *)room->frame > (const char *)frame)
		return true;
	return !sigaltstack(NULL, &stack) && stack.ss_flags & SS_ONSTACK;
}

static uint32_t intern_last(struct last_stack *room, size_t skipped, size_t count)
{
	const uintptr_t *last = room->pcs[room->which], *pcs = room->pcs[!room->which];
	uint64_t salt = current_salt();

	if (count == room->count && skipped == room->skipped && salt == room->salt &&
	    !memcmp(pcs + skipped, last + skipped, (count - skipped) * sizeof(*pcs)))
		return room->id;
	room->id = stacks_intern(pcs + skipped, count - skipped,
				 count == UNWIND_MOST ? STACKS_CUT : 0);
	room->which = !room->which;
	room->count = count;
	room->skipped = skipped;
	room->salt = salt;
	return room->id;
}

/* As unwind_here, but the first frame is that of stacks_here. */
__attribute__((noinline)) static size_t walk_python(struct last_stack *room)
{
	uint64_t salt = current_salt();
	struct python_walk python;
	size_t count;

	if (room->pages_salt != salt)
		memset(room->pages, 0, sizeof(room->pages));
	room->pages_salt = salt;
	count = unwind_here_visited(
		room->pcs[!room->which], UNWIND_MOST,
		python_visitor(&python, (struct python_memory){room->pages, PAGES}));
	__asm__ volatile("" : : "r"(&python)); /* so that the call above is no tail call */
	return count;
}

__attribute__((noinline)) uint32_t stacks_here(void)
{
	struct last_stack *room = stacks_wanted() ? room_of_thread() : NULL;
	size_t count, skipped = 0;
	uintptr_t *pcs;
	uint32_t id = 0;

	for (int level = 0; room && is_in_use(room, &count); room++)
		if (++level == LEVELS)
			return 0;
	if (!room)
		return 0;
	room->frame = &count;
	atomic_signal_fence(memory_order_seq_cst);
	pcs = room->pcs[!room->which];
	if (python_is_there())
		count = walk_python(room);
	else
		count = unwind_here(pcs, UNWIND_MOST);
	while (skipped < count && unwind_lookup_is_own(pcs[skipped] - 1))
		skipped++;
	if (skipped < count)
		id = intern_last(room, skipped, count);
	atomic_signal_fence(memory_order_seq_cst);
	room->frame = NULL;
	return id;
}

static void prepare(void)
{
	static const char cut[] = "[truncated]";

	if (atomic_load(&prepared)) {
		python_start();
		return;
	}
	unwind_start();
	python_start();
	stack_modules_start();
	cut_name = names_intern(globals.catalog.names, cut, sizeof(cut) - 1);
	atomic_store(&prepared, true);
}

void stacks_attach(const struct settings *settings)
{
	if (!settings->stacks && !(settings_keeps_samples(settings) && settings->sample_rate))
		return;
	prepare();
	if (!settings->stacks || stacks_wanted() || pthread_key_create(&on_exit, leave_room))
		return;
	atomic_store(&globals.stacks, true);
}

/* A sample may interrupt a function whose frame is just being made or left, so a few failures are
 * usual. */
void stacks_report(void)
{
	const struct python_interpreter *python = atomic_load(&python_found);
	uint64_t all, failed;

	python_counts(&all, &failed);
	if (!failed)
		return;
	if (python->known)
		say("Python frames could not be read in %llu of %llu call stacks: %s [python] "
		    "instead",
		    (unsigned long long)failed, (unsigned long long)all,
		    failed == 1 ? "it has" : "they have");
	else
		say("call stacks have [python] instead of Python frames: those of " PYTHON_VERSIONS
		    " are known, not those of this build of %u.%u",
		    (unsigned)python->version >> 8, (unsigned)python->version & 255);
}

void stacks_forked(void)
{
	uint64_t all, failed;

	python_counts(&all, &failed);
}

void stacks_forget(void)
{
	if (atomic_load(&prepared))
		unwind_forget();
}
