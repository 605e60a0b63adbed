/* SPDX-License-Identifier: MIT */
#ifndef BASE_PYTHON_H
#define BASE_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/python_code.h"
#include "base/python_layout.h"
#include "base/python_memory.h"
#include "base/unwind.h"

/*
 * The frames of Python programs in walks of native stacks. CPython runs its functions in an
 * evaluation loop, a C function that calls itself through other functions. A walk replaces each
 * frame of the loop by the Python frames that this call of the loop runs. The walk leaves out the
 * interpreter's functions outside of the innermost call of the loop, and those by which this call
 * calls an extension. It keeps extensions, and functions of the interpreter in which the thread is,
 * or that have called the C library.
 *
 * CPython is never called, and its lock (GIL) is not needed: a thread reads its own frames. Its
 * structures may change while a signal handler reads them, or be of a version that is not known, so
 * memory is read by python_memory.h and types are checked. Where that fails, one frame
 * PYTHON_UNKNOWN stands for those of the loop.
 */

/* The calls of the evaluation loop in one thread state, from the innermost one on. */
struct python_chain {
	uintptr_t state; /* 0: there is none */
	uintptr_t place; /* on the C stack, in the next frame of the loop; 0: there is none */
	uintptr_t frame; /* its newest Python frame */
};

/* States of one thread that are looked at: it may run several interpreters, one inside another. */
enum { PYTHON_CHAINS = 4 };

/* A walk. */
struct python_walk {
	struct unwind_visitor visitor;
	struct python_memory memory;
	bool begun;
	bool entered; /* a frame of the loop was seen */
	bool in_loop; /* so was the last frame */
	bool failed;  /* PYTHON_UNKNOWN was put */
	size_t run;   /* pcs of this index and later are the interpreter's */
	uint32_t others;
	struct python_chain chain; /* the one whose place is next */
	struct python_chain other[PYTHON_CHAINS - 1];
};

/* The interpreter of this process, NULL if there is none. */
extern const struct python_interpreter *_Atomic python_found;

/* Looks for an interpreter, until one was found. Not for signal handlers. */
void python_start(void);

/* Returns true if there is one. */
static inline bool python_is_there(void)
{
	return __builtin_expect(atomic_load_explicit(&python_found, memory_order_relaxed) != NULL,
				0);
}

/* Returns the visitor for one walk of the calling thread's stack, if there is an interpreter. With
 * `memory`, and all that it refers to, as long as the walk. */
struct unwind_visitor *python_visitor(struct python_walk *walk, struct python_memory memory);

/* Numbers of walks since the last call: those with frames of the loop, and those of them in which
 * not all frames could be read. */
void python_counts(uint64_t *all, uint64_t *failed);

#endif
