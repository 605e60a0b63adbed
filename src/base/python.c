/* SPDX-License-Identifier: MIT */
#include "base/python.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "base/unwind_lookup.h"
#include "base/unwind_step.h"

enum {
	INTERPRETERS = 64, /* at most: lists may change while they are read */
	THREADS = 4096,
	FRAMES = 4096,	/* of one call of the loop */
	STATE = 1024,	/* bytes of a thread state, at most up to its cframe */
	ON_C_STACK = 3, /* an owner of a frame */
	BY_GENERATOR = 1,
};

const struct python_interpreter *_Atomic python_found;

/* PYTHON_CHAIN: the place of a call of the loop with more than FRAMES frames, which is not searched
 * for. The next frame of the loop is used as the place; the call's Python frames fill the walk. */
#define FAR_PLACE UINTPTR_MAX

static struct python_interpreter interpreter;
static _Atomic uint64_t walks, walks_failed;

/* The state of this thread that was used last. */
static __thread uintptr_t own_state __attribute__((tls_model("initial-exec")));

void python_start(void)
{
	if (atomic_load(&python_found) || !python_layout_find(&interpreter))
		return;
	if (interpreter.known && python_code_start())
		interpreter.known = false;
	atomic_store(&python_found, &interpreter);
}

void python_counts(uint64_t *all, uint64_t *failed)
{
	*all = atomic_exchange(&walks, 0);
	*failed = atomic_exchange(&walks_failed, 0);
}

static uintptr_t word(struct python_walk *walk, uintptr_t from, uint16_t offset)
{
	return python_memory_word(&walk->memory, from + offset);
}

static bool is_own_state(struct python_walk *walk, uintptr_t state)
{
	return state &&
	       word(walk, state, interpreter.layout.thread_id) == (uintptr_t)pthread_self();
}

/* Returns the cframe before this one, 0 before the outermost one. The outermost one is in the
 * thread state, and CPython 3.10 leaves its pointer uninitialized. */
static uintptr_t cframe_before(struct python_walk *walk, uintptr_t state, uintptr_t place)
{
	return place - state < STATE ? 0 : word(walk, place, interpreter.layout.cframe_previous);
}

/* Returns true if the thread state runs Python functions. */
static bool is_active(struct python_walk *walk, uintptr_t state)
{
	const struct python_layout *layout = &interpreter.layout;
	uintptr_t top = word(walk, state, layout->thread_top);

	return layout->kind == PYTHON_CHAIN ? top != 0 : cframe_before(walk, state, top) != 0;
}

static void add_state(struct python_walk *walk, uintptr_t state)
{
	if (!walk->chain.state)
		walk->chain.state = state;
	else if (walk->others < PYTHON_CHAINS - 1)
		walk->other[walk->others++] = (struct python_chain){.state = state};
}

/* Adds the states of this thread that run Python functions. */
static void find_in(struct python_walk *walk, uintptr_t list)
{
	const struct python_layout *layout = &interpreter.layout;
	uintptr_t state = word(walk, list, layout->interpreter_threads);

	for (int i = 0; state && i < THREADS; i++) {
		if (is_own_state(walk, state) &&
		    word(walk, state, layout->thread_interpreter) == list && is_active(walk, state))
			add_state(walk, state);
		state = word(walk, state, layout->thread_next);
	}
}

/* Finds the states of this thread: one in each interpreter that it runs. If the process has only
 * one interpreter, the state that the thread used last is taken without a search. */
static void find_states(struct python_walk *walk)
{
	const struct python_layout *layout = &interpreter.layout;
	uintptr_t list = word(walk, interpreter.runtime, layout->runtime_interpreters);

	if (list && !word(walk, list, layout->interpreter_next) && is_own_state(walk, own_state) &&
	    is_active(walk, own_state)) {
		walk->chain.state = own_state;
		return;
	}
	for (int i = 0; list && i < INTERPRETERS; i++) {
		find_in(walk, list);
		list = word(walk, list, layout->interpreter_next);
	}
	own_state = walk->chain.state;
}

static bool is_on_c_stack(struct python_walk *walk, uintptr_t frame)
{
	return python_memory_byte(&walk->memory, frame + interpreter.layout.frame_owner) ==
	       ON_C_STACK;
}

/* PYTHON_CHAIN: finds the frame on the C stack that ends the frames of this call of the loop. */
static void find_place(struct python_walk *walk, struct python_chain *chain)
{
	uintptr_t frame = chain->frame;

	for (int i = 0; frame && i < FRAMES && !is_on_c_stack(walk, frame); i++)
		frame = word(walk, frame, interpreter.layout.frame_previous);
	if (!frame)
		chain->place = 0;
	else
		chain->place = is_on_c_stack(walk, frame) ? frame : FAR_PLACE;
}

/* PYTHON_SINGLE: a call sets the newest frame and the newest cframe one after the other. If the
 * innermost call has set only one of the two, the walk skips that one. */
static void align(struct python_walk *walk, struct python_chain *chain)
{
	const struct python_layout *layout = &interpreter.layout;
	uintptr_t place = chain->place, frame = chain->frame;

	/* The outermost cframe belongs to no call. */
	place = cframe_before(walk, chain->state, place);
	for (int i = 0; place && frame && i < FRAMES; i++) {
		place = cframe_before(walk, chain->state, place);
		frame = word(walk, frame, layout->frame_previous);
	}
	if (place && !frame)
		chain->place = cframe_before(walk, chain->state, chain->place);
	else if (frame && !place)
		chain->frame = word(walk, chain->frame, layout->frame_previous);
}

static void begin_chain(struct python_walk *walk, struct python_chain *chain)
{
	const struct python_layout *layout = &interpreter.layout;
	uintptr_t top = word(walk, chain->state, layout->thread_top);

	if (layout->kind == PYTHON_CHAIN) {
		chain->frame = top;
		find_place(walk, chain);
		return;
	}
	chain->place = top;
	chain->frame = layout->kind == PYTHON_SINGLE
			       ? word(walk, chain->state, layout->thread_frame)
			       : word(walk, top, layout->cframe_frame);
	if (layout->kind == PYTHON_SINGLE)
		align(walk, chain);
}

/* The outermost cframe is in the thread state and belongs to no call. */
static bool has_call(const struct python_chain *chain)
{
	return chain->place && chain->place - chain->state >= STATE;
}

/* The stack grows downward: the innermost call has the lowest place. */
static void choose_chain(struct python_walk *walk)
{
	for (uint32_t i = 0; i < walk->others; i++) {
		struct python_chain *other = &walk->other[i], before = walk->chain;

		if (has_call(other) && (!has_call(&before) || other->place < before.place)) {
			walk->chain = *other;
			*other = before;
		}
	}
}

__attribute__((noinline)) static void begin(struct python_walk *walk)
{
	walk->begun = true;
	if (!interpreter.known)
		return;
	find_states(walk);
	if (!walk->chain.state)
		return;
	begin_chain(walk, &walk->chain);
	for (uint32_t i = 0; i < walk->others; i++)
		begin_chain(walk, &walk->other[i]);
	choose_chain(walk);
}

/* Goes on to the next call of the loop: the caller of the frame `last`. The outermost cframe is in
 * the thread state, so it is in no frame of the stack. */
static void leave_loop(struct python_walk *walk, uintptr_t last)
{
	const struct python_layout *layout = &interpreter.layout;
	struct python_chain *chain = &walk->chain;

	if (chain->place == FAR_PLACE) {
		chain->place = 0;
	} else if (layout->kind == PYTHON_CHAIN) {
		chain->frame = word(walk, chain->place, layout->frame_previous);
		find_place(walk, chain);
	} else {
		chain->place = cframe_before(walk, chain->state, chain->place);
		chain->frame = layout->kind == PYTHON_SINGLE
				       ? word(walk, last, layout->frame_previous)
				       : word(walk, chain->place, layout->cframe_frame);
	}
	if (__builtin_expect(walk->others, 0))
		choose_chain(walk);
}

/* Returns false for a frame that has not begun, and for one of the interpreter's own code. Python's
 * tracebacks leave such frames out, too. */
static inline bool has_begun(uintptr_t frame, uintptr_t code, uintptr_t instruction)
{
	const struct python_layout *layout = &interpreter.layout;
	uint32_t first;

	if (layout->kind == PYTHON_SINGLE ||
	    python_byte_at(frame + layout->frame_owner) == BY_GENERATOR)
		return true;
	first = python_u32_at(code + layout->code_first_traced);
	return (intptr_t)(instruction - code - layout->code_instructions) >= 2 * (int64_t)first;
}

/* Appends PYTHON_UNKNOWN, unless it is the last entry already. */
static size_t put_unknown(struct python_walk *walk, uintptr_t *pcs, size_t count)
{
	if (!walk->failed)
		atomic_fetch_add_explicit(&walks_failed, 1, memory_order_relaxed);
	walk->failed = true;
	if (count && pcs[count - 1] == PYTHON_UNKNOWN)
		return count;
	pcs[count] = PYTHON_UNKNOWN;
	return count + 1;
}

/* Called when a frame is not valid. If each call of the loop has a cframe, the walk goes on with
 * the next call of the loop; otherwise the chain ends here. */
static size_t fail(struct python_walk *walk, uintptr_t *pcs, size_t count)
{
	enum python_kind kind = interpreter.layout.kind;

	if (kind == PYTHON_FLAGGED || kind == PYTHON_MARKED)
		leave_loop(walk, 0);
	else
		walk->chain.place = 0;
	choose_chain(walk);
	return put_unknown(walk, pcs, count);
}

/* Returns true if the frame is the outermost one of its call of the loop. */
static inline bool is_last(uintptr_t frame)
{
	const struct python_layout *layout = &interpreter.layout;

	return layout->kind == PYTHON_SINGLE ||
	       (layout->kind == PYTHON_FLAGGED && python_byte_at(frame + layout->frame_is_entry));
}

/* Returns the entry for the frame, 0 if the frame is not valid. Sets its code and instruction. */
static inline uintptr_t read_frame(struct python_walk *walk, uintptr_t frame, uintptr_t *code,
				   uintptr_t *instruction)
{
	const struct python_layout *layout = &interpreter.layout;

	*code = python_word_at(frame + layout->frame_code);
	*instruction = layout->kind == PYTHON_SINGLE
			       ? python_u32_at(frame + layout->frame_instruction)
			       : python_word_at(frame + layout->frame_instruction);
	return python_code_frame(&interpreter, &walk->memory, *code, *instruction);
}

/* Appends the Python frames of one call of the loop. Not inlined: `visit` calls it rarely. */
__attribute__((noinline)) static size_t put_frames(struct python_walk *walk, uintptr_t *pcs,
						   size_t count)
{
	const struct python_layout *layout = &interpreter.layout;
	uintptr_t frame = walk->chain.frame, last = frame, code, instruction, entry;

	for (int i = 0; count < walk->visitor.most; i++) {
		last = frame;
		if (!frame || i == FRAMES ||
		    !python_memory_has(&walk->memory, frame, layout->frame_size))
			return fail(walk, pcs, count);
		if (layout->kind >= PYTHON_MARKED &&
		    python_byte_at(frame + layout->frame_owner) == ON_C_STACK)
			break;
		entry = read_frame(walk, frame, &code, &instruction);
		if (!entry)
			return fail(walk, pcs, count);
		if (has_begun(frame, code, instruction))
			pcs[count++] = entry;
		if (is_last(frame))
			break;
		frame = python_word_at(frame + layout->frame_previous);
	}
	leave_loop(walk, last);
	return count;
}

/* Returns the count without the interpreter's functions that call an extension. */
static size_t without_glue(const struct python_walk *walk, const uintptr_t *pcs, size_t count)
{
	uintptr_t pc = walk->run ? pcs[walk->run - 1] : 0;

	return pc && pc - interpreter.c_library >= interpreter.c_library_end - interpreter.c_library
		       ? walk->run
		       : count;
}

/* A frame of the loop was found. Returns the count without it. */
static size_t enter(struct python_walk *walk, const uintptr_t *pcs, size_t count)
{
	walk->in_loop = true;
	if (walk->entered)
		return count - 1;
	walk->entered = true;
	atomic_fetch_add_explicit(&walks, 1, memory_order_relaxed);
	return without_glue(walk, pcs, count - 1);
}

/* Visits a frame of the loop that does not contain the next place. If it is the innermost one, the
 * call has just begun or is about to end, and its Python frame is not in the thread state. */
__attribute__((noinline)) static size_t visit_loop(struct python_walk *walk, uintptr_t *pcs,
						   size_t count, uintptr_t high)
{
	bool outside = !walk->entered && walk->chain.place >= high;

	count = enter(walk, pcs, count);
	return outside ? count : put_unknown(walk, pcs, count);
}

static size_t visit(struct unwind_visitor *visitor, uintptr_t *pcs, size_t count, uintptr_t low,
		    uintptr_t high)
{
	struct python_walk *walk =
		(void *)((char *)visitor - offsetof(struct python_walk, visitor));
	uintptr_t pc = pcs[count - 1], place;
	bool after_loop = walk->in_loop, is_loop;

	walk->in_loop = false;
	if (pc - interpreter.object >= interpreter.object_end - interpreter.object) {
		/* With -X perf, generated code for each function calls the loop. The code is in no
		 * loaded object. A signal may interrupt it, too. */
		if ((after_loop || count == 1) && !unwind_lookup_is_object(pc) &&
		    (after_loop || unwind_step_is_trampoline(pc)))
			return count - 1;
		walk->run = count;
		return count;
	}
	if (__builtin_expect(!walk->begun, 0))
		begin(walk);
	place = walk->chain.place;
	is_loop = pc - interpreter.loop < interpreter.loop_end - interpreter.loop;
	if ((place >= low && place < high && place) || (is_loop && place == FAR_PLACE)) {
		count = enter(walk, pcs, count);
		return put_frames(walk, pcs, count);
	}
	if (is_loop)
		return visit_loop(walk, pcs, count, high);
	return walk->entered ? count - 1 : count;
}

struct unwind_visitor *python_visitor(struct python_walk *walk, struct python_memory memory)
{
	memset(walk, 0, offsetof(struct python_walk, other));
	walk->visitor.visit = visit;
	walk->memory = memory;
	return &walk->visitor;
}
