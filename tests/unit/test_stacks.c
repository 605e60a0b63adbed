/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/unwind.h"
#include "session/session.h"
#include "session/stacks.h"
#include "session/state.h"

/* The stacks of this program's calls: the code of the program and the library are one object here,
 * so that its frames at the inner end are passed over up to those of the C library. */

typedef void *search_function(const void *key, const void *base, size_t count, size_t size,
			      int (*compare)(const void *, const void *));

static search_function *volatile search;
static volatile uint32_t found;
static void *volatile sink;

static int note_stack(const void *left, const void *right)
{
	found = stacks_here();
	return *(const char *)left - *(const char *)right;
}

__attribute__((noinline)) static void *own_search(const void *key, const void *base, size_t count,
						  size_t size,
						  int (*compare)(const void *, const void *))
{
	(void)size;
	return compare(key, base) && count ? NULL : (void *)(uintptr_t)base;
}

static unsigned depth_of(uint32_t id)
{
	unsigned depth = 0;

	for (; id; depth++)
		id = stacks_node(&globals.catalog.stacks, id)->parent;
	return depth;
}

/* Returns the number of nodes of the stack that is found by the search. */
__attribute__((noinline)) static unsigned depth_by(search_function *function)
{
	search = function;
	found = 0;
	sink = search("a", "a", 1, 1, note_stack);
	return depth_of(found);
}

/* Two stacks of as many frames, whose outer frames are equal: the second one has more of them
 * passed over than the first. */
static void test_frames_passed_over(void **state)
{
	unsigned within, outside;

	(void)state;
	within = depth_by(bsearch);
	outside = depth_by(own_search);
	assert_in_range(outside, 1, UNWIND_MOST);
	assert_in_range(within, outside + 2, UNWIND_MOST);
	assert_int_equal(depth_by(own_search), outside);
	assert_int_equal(depth_by(bsearch), within);
	assert_int_equal(depth_by(bsearch), within);
}

/* The frames of one stack come inside of those of another. */
static void test_joined(void **state)
{
	static const uintptr_t outer_pcs[] = {1, 2, 3}, inner_pcs[] = {4, 5};
	static const uint64_t offsets[] = {4, 5, 0, 1, 2, 3};
	uint32_t outer = stacks_intern(outer_pcs, 3, 0), inner = stacks_intern(inner_pcs, 2, 0);
	uint32_t joined = stacks_join(outer, inner, "[between]"), id = joined;
	const struct stack_node *node;

	(void)state;
	assert_int_equal(depth_of(joined), 6);
	for (int i = 0; i < 6; i++, id = node->parent) {
		node = stacks_node(&globals.catalog.stacks, id);
		assert_int_equal(node->offset, offsets[i]);
		assert_string_equal(names_text(globals.catalog.names, node->name, NULL),
				    i == 2 ? "[between]" : "");
	}
	assert_int_equal(stacks_join(outer, inner, "[between]"), joined);
	assert_int_equal(stacks_node(&globals.catalog.stacks, inner)->parent,
			 stacks_intern(inner_pcs + 1, 1, 0));
}

/* Together with the frame between they have as many frames as a stack may have, or one more. */
static void test_joined_long(void **state)
{
	uintptr_t pcs[UNWIND_MOST];
	uint32_t outer, inner;

	(void)state;
	for (size_t i = 0; i < UNWIND_MOST; i++)
		pcs[i] = 100 + i;
	outer = stacks_intern(pcs, UNWIND_MOST / 2, 0);
	inner = stacks_intern(pcs, UNWIND_MOST / 2 - 1, 0);
	assert_int_equal(depth_of(stacks_join(outer, inner, "[between]")), UNWIND_MOST);
	assert_int_equal(stacks_join(outer, outer, "[between]"), outer);
	inner = stacks_intern(pcs, UNWIND_MOST, 0);
	assert_int_equal(stacks_join(outer, inner, "[between]"), outer);
	assert_int_equal(stacks_join(inner, outer, "[between]"), inner);
}

static unsigned unmapped;

/* In place of the C library's. */
int munmap(void *address, size_t size)
{
	unmapped++;
	return (int)syscall(SYS_munmap, address, size);
}

/* Unmapping memory interrupts each processor that runs a thread of the program. */
static void test_nothing_unmapped(void **state)
{
	uintptr_t pcs[] = {1000, 2, 3};
	uint32_t first = stacks_intern(pcs, 3, 0), last = first;

	(void)state;
	unmapped = 0;
	for (int i = 0; i < 1000; i++) {
		pcs[0]++;
		last = stacks_intern(pcs, 3, 0);
	}
	assert_int_equal(last, first + 1000);
	assert_int_equal(unmapped, 0);
}

int main(void)
{
	static const struct source source;
	static char log[] = "log", trace[] = "trace";
	static struct settings settings = {.enabled = true,
					   .layout.api = API_OPENCL,
					   .log = log,
					   .trace = trace,
					   .stacks = true};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_passed_over),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_joined_long),
		cmocka_unit_test(test_nothing_unmapped),
	};

#if !defined(__GLIBC__) || !(defined(__x86_64__) || defined(__aarch64__))
	puts("1..0 # SKIP frames of other objects may have no unwind tables");
	return 0;
#endif
	if (session_attach(API_OPENCL, &settings, &source))
		return EXIT_FAILURE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
