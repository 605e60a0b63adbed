/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/sampling/driver_thread.h"

#define CACHE "/cache/pocl/kcache/AB/CDEFGH/"

static struct stacks stacks;

/* Returns a stack with a frame in each of the modules, outermost first; NULL ends them. */
static uint32_t stack_in(const char *first, ...)
{
	uint32_t stack = 0;
	va_list modules;

	va_start(modules, first);
	for (const char *path = first; path; path = va_arg(modules, const char *)) {
		struct stack_module module = {.path = path, .length = (uint32_t)strlen(path)};
		struct stack_node node = {.parent = stack};

		node.module = stacks_add_module(&stacks, &module);
		assert_int_not_equal(node.module, 0);
		stack = stacks_add_node(&stacks, &node);
	}
	va_end(modules);
	return stack;
}

static bool runs_in(const char *module)
{
	return driver_thread_is(&stacks, stack_in("/lib/libc.so.6", module, NULL));
}

static void test_drivers(void **state)
{
	(void)state;
	assert_true(runs_in("/usr/lib/pocl/libpocl-devices-pthread.so"));
	assert_true(driver_thread_is(&stacks, stack_in("/lib/libc.so.6", "/lib/libpocl.so.2",
						       CACHE "k/1-1-1/k.so", NULL)));
	assert_false(
		driver_thread_is(&stacks, stack_in("/usr/bin/app", "/lib/libpocl.so.2", NULL)));
	assert_false(driver_thread_is(&stacks, stack_in("/lib/libc.so.6", NULL)));
	assert_false(driver_thread_is(&stacks, 0));
}

/* The driver's frames may be passed over. */
static void test_kernels(void **state)
{
	(void)state;
	assert_true(runs_in(CACHE "slow/128-1-1-goffs0-smallgrid/slow.so"));
	assert_true(runs_in("/c/slow/8-16-4/slow.so"));
	assert_true(runs_in("s/1-1-1-goffs0/s.so"));
	assert_false(
		driver_thread_is(&stacks, stack_in("/usr/bin/app", CACHE "k/1-1-1/k.so", NULL)));
}

static void test_other_files(void **state)
{
	(void)state;
	assert_false(runs_in(CACHE "slow/128-1-1/other.so"));
	assert_false(runs_in(CACHE "slow/128-1-1/slow.soo"));
	assert_false(runs_in(CACHE "slow/128-1/slow.so"));
	assert_false(runs_in(CACHE "slow/128-1-x/slow.so"));
	assert_false(runs_in(CACHE "slower/128-1-1/slow.so"));
	assert_false(runs_in(CACHE "slow/slow.so"));
	assert_false(runs_in("128-1-1/slow.so"));
	assert_false(runs_in("1-1-1/.so"));
	assert_false(runs_in("slow.so"));
	assert_false(runs_in(".so"));
	assert_false(runs_in("/usr/bin/app"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drivers),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_other_files),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	stacks_free(&stacks);
	return failed;
}
