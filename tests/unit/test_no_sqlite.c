/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/stream/streamops.h"
#include "view/view.h"

/* The replacement of databases in a tool without SQLite. */
static void test_failing_calls(void **state)
{
	static const struct view *const without[] = {&view_sqlite, &view_nvprof, &view_nsys};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct strbuf error = STRBUF_INIT;

		assert_int_equal(without[i]->check(&error), -1);
		assert_string_equal(strbuf_text(&error),
				    "this computeprof was built without SQLite");
		strbuf_free(&error);
	}
}

static void test_refused_file(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	assert_null(stream_database.open("run.sqlite", &error));
	assert_string_equal(strbuf_text(&error),
			    "run.sqlite is a database: this computeprof was built without SQLite");
	strbuf_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failing_calls),
		cmocka_unit_test(test_refused_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
