/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/control.h"
#include "session/manifest.h"
#include "settings/settings.h"

/* The control state when a back end attaches, and the messages to the tool. The order matters: the
 * state is kept. */
static char path[] = "/tmp/computeprof-control.XXXXXX";

static int make_manifest(void **state)
{
	int file = mkstemp(path);

	(void)state;
	if (file < 0)
		return -1;
	if (write(file, MANIFEST_HEAD, strlen(MANIFEST_HEAD)) < 0)
		return -1;
	close(file);
	return setenv("COMPUTEPROF_MANIFEST", path, 1);
}

static int remove_manifest(void **state)
{
	(void)state;
	return unlink(path);
}

static void assert_told(const char *expected)
{
	char text[256] = "";
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_memory_equal(text, MANIFEST_HEAD, strlen(MANIFEST_HEAD));
	assert_string_equal(text + strlen(MANIFEST_HEAD), expected);
}

static void test_settings(void **state)
{
	static const struct {
		const char *value;
		bool start;
	} rows[] = {{NULL, true}, {"", true}, {"0", true}, {"1", false}, {"yes", true}};
	struct settings settings;

	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].value)
			setenv("COMPUTE_PROFILE_WAIT", rows[i].value, 1);
		settings_load(&settings, API_OPENCL);
		assert_int_equal(settings.start_enabled, rows[i].start);
		settings_free(&settings);
	}
	unsetenv("COMPUTE_PROFILE_WAIT");
}

static void test_begins(void **state)
{
	const struct settings on = {.start_enabled = true}, off = {.start_enabled = false};

	(void)state;
	assert_true(control_starts_recording(&on));
	assert_told("");
	assert_false(control_starts_recording(&off));
	assert_false(control_starts_recording(&off));
	assert_told("waits -\n");
	control_switch(false);
	assert_false(control_starts_recording(&on));
	assert_told("waits -\n");
	control_switch(true);
	control_switched(true);
	assert_true(control_starts_recording(&off));
	assert_told("waits -\nasked -\n");
	control_switch(false);
	assert_false(control_starts_recording(&on));
	assert_told("waits -\nasked -\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_begins),
	};

	return cmocka_run_group_tests(tests, make_manifest, remove_manifest);
}
