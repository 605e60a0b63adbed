/* SPDX-License-Identifier: MIT */
/* Compares the names for CUPTI's function numbers with the headers of a toolkit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cupti_driver_cbid.h>
#include <cupti_runtime_cbid.h>
#include <cupti_version.h>

/* Older releases lack some of them. */
enum { TABLES_ARE_OF = 130001 };

struct function {
	const char *name;
	int theirs;
	int ours;
};

#if CUPTI_API_VERSION >= 130001
#define FUNCTION(number, name) {#name, CUPTI_RUNTIME_TRACE_CBID_##name, number},
static const struct function runtime[] = {
#include "view/sqlite/cupti_runtime.def"
};
#undef FUNCTION

#define FUNCTION(number, name) {#name, CUPTI_DRIVER_TRACE_CBID_##name, number},
static const struct function driver[] = {
#include "view/sqlite/cupti_driver.def"
};
#undef FUNCTION

static void check(const struct function *functions, size_t count)
{
	int wrong = 0;

	for (size_t i = 0; i < count; i++) {
		if (functions[i].theirs == functions[i].ours)
			continue;
		print_error("%s is %d, not %d\n", functions[i].name, functions[i].theirs,
			    functions[i].ours);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void test_numbers(void **state)
{
	const size_t runtime_count = sizeof(runtime) / sizeof(runtime[0]);
	const size_t driver_count = sizeof(driver) / sizeof(driver[0]);

	(void)state;
	check(runtime, runtime_count);
	check(driver, driver_count);
	/* the tables' release has no others */
	if (CUPTI_API_VERSION != TABLES_ARE_OF)
		return;
	assert_int_equal(runtime_count, CUPTI_RUNTIME_TRACE_CBID_SIZE - 1);
	assert_int_equal(driver_count, CUPTI_DRIVER_TRACE_CBID_SIZE - 1);
}
#else
static void test_numbers(void **state)
{
	(void)state;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
