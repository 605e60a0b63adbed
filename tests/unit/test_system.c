/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "base/boot_id.h"
#include "view/format/system.h"

static uint8_t boot[BOOT_ID];

/* In place of the machine's. */
void boot_id_read(uint8_t id[BOOT_ID])
{
	memcpy(id, boot, sizeof(boot));
}

static bool has_run(uint8_t first, uint8_t last)
{
	struct process process = {.pid = 1};

	process.boot[0] = first;
	process.boot[BOOT_ID - 1] = last;
	return system_has_run(&process);
}

/* The whole number counts; one that is not known is equal to none. */
static void test_has_run(void **state)
{
	(void)state;
	boot[0] = 1;
	boot[BOOT_ID - 1] = 2;
	assert_true(has_run(1, 2));
	assert_false(has_run(1, 3));
	assert_false(has_run(2, 2));
	assert_false(has_run(0, 0));
	memset(boot, 0, sizeof(boot));
	assert_false(has_run(0, 0));
	assert_false(has_run(1, 2));
}

static void test_names(void **state)
{
	struct strbuf node = STRBUF_INIT, host = STRBUF_INIT;
	struct utsname name;
	char expected[512];

	(void)state;
	assert_int_equal(uname(&name), 0);
	assert_int_equal(system_put_node(&node), 0);
	assert_string_equal(strbuf_text(&node), name.nodename);
	assert_int_equal(system_put_host(&host), 0);
	snprintf(expected, sizeof(expected), "%s, %s %s", name.nodename, name.sysname,
		 name.release);
	assert_string_equal(strbuf_text(&host), expected);
	strbuf_free(&node);
	strbuf_free(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_has_run),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
