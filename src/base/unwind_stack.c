/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif

#include "base/unwind_stack.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	PROBES = 64, /* pages of a thread's own stack that are probed at once */
	MAIN_SIZE = 8 << 20,
	BLOCK = 1 << 20,
	RED_ZONE = 128, /* bytes below the stack pointer that signal handlers leave as they are */
};

/*
 * What is known of this thread's own stack: every page from `low` to `high` can be read, and will
 * be as long as the thread lives, so far as it is above the stack pointer. Other stacks
 * (coroutines, the alternate stack of signals) may be unmapped at any time: their pages are probed
 * in each walk.
 */
static __thread struct {
	uintptr_t low;
	uintptr_t high;
	uintptr_t foreign; /* number of a block of addresses that is not in it */
} known __attribute__((tls_model("initial-exec")));

bool unwind_stack_probe(uintptr_t address)
{
	int before = errno;
	bool readable;

	/* The kernel reads the new mask before it refuses the invalid first argument. */
	address &= ~(uintptr_t)(sizeof(uint64_t) - 1);
	readable = syscall(SYS_rt_sigprocmask, -1, address, NULL, 8) == -1 && errno != EFAULT;
	errno = before;
	return readable;
}

static uintptr_t page_of(uintptr_t address)
{
	return address & ~(uintptr_t)(PAGE - 1);
}

/* The kernel stores the program's name at the top of the main stack. */
static uintptr_t main_top(void)
{
	uintptr_t name = getauxval(AT_EXECFN);

	return name ? page_of(name) + PAGE : 0;
}

/* Returns the bytes below the top into which the kernel maps nothing but the main stack. */
static uintptr_t main_size(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur > MAIN_SIZE ? MAIN_SIZE
									     : limit.rlim_cur;
}

/* Probes the pages from `from` to before `to`. Returns true if all of them can be read. */
static bool probe_range(uintptr_t from, uintptr_t to)
{
	if (to < from || to - from > (uintptr_t)PROBES * PAGE)
		return false;
	for (; from < to; from += PAGE)
		if (!unwind_stack_probe(from))
			return false;
	return true;
}

static void find_bounds(uintptr_t sp)
{
	uintptr_t top = main_top(), thread = (uintptr_t)pthread_self(), low = page_of(sp);

	if (sp < known.high && known.high - sp < BLOCK) {
		if (probe_range(low, known.low))
			known.low = low;
	} else if (known.high) {
		return;
	} else if (sp < top && top - sp < main_size() && syscall(SYS_gettid) == getpid()) {
		known.low = top - main_size();
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		known.high = top;
	} else if (sp < thread && probe_range(low, page_of(thread))) {
		/* C libraries keep the thread's own data above its stack. */
		known.low = low;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		known.high = page_of(thread);
	}
}

void unwind_stack_enter(struct unwind_stack *stack, uintptr_t sp)
{
	bool is_known = sp >= known.low && sp < known.high;

	if (__builtin_expect(!is_known && sp / BLOCK != known.foreign, 0)) {
		find_bounds(sp);
		is_known = sp >= known.low && sp < known.high;
		if (!is_known)
			known.foreign = sp / BLOCK;
	}
	stack->own = is_known;
	stack->low = is_known ? page_of(sp) : 0;
	stack->high = is_known ? known.high : 0;
}

bool unwind_stack_extend(struct unwind_stack *stack, uintptr_t address)
{
	uintptr_t page = page_of(address);

	if (stack->own && stack->low - address > RED_ZONE)
		return false;
	if (page + PAGE < page || !unwind_stack_probe(address))
		return false;
	if (page + PAGE == stack->low)
		stack->low = page;
	else if (page == stack->high && stack->low != stack->high)
		stack->high += PAGE;
	else if (page < stack->low || page >= stack->high) {
		stack->low = page;
		stack->high = page + PAGE;
	}
	return true;
}
