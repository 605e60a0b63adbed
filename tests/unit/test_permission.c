/* SPDX-License-Identifier: MIT */
/* The permission to read counters according to files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "backend/cuda/counters/permission.h"
#include "folder.h"

static void fill(const char *path, const char *text)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

static enum permission says(const char *text)
{
	fill("params", text);
	return permission_of_driver("params");
}

static void test_driver(void **state)
{
	(void)state;
	errno = 0;
	assert_int_equal(permission_of_driver("missing"), PERMISSION_UNREADABLE);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(says(""), PERMISSION_UNSAID);
	assert_int_equal(says("ModifyDeviceFiles: 1\nDeviceFileUID: 0\n"), PERMISSION_UNSAID);
	assert_int_equal(says("ModifyDeviceFiles: 1\nRmProfilingAdminOnly: 1\n"), PERMISSION_ADMIN);
	assert_int_equal(says("RmProfilingAdminOnly: 0\nModifyDeviceFiles: 1\n"), PERMISSION_ALL);
	assert_int_equal(says("A: 1\nRestrictProfilingToAdminUsers: 1"), PERMISSION_ADMIN);
	assert_int_equal(says("A: 1\nNVreg_RestrictProfilingToAdminUsers: 0"), PERMISSION_ALL);
	assert_int_equal(says("RegistryDwords: \"xRmProfilingAdminOnly: 0\"\n"), PERMISSION_UNSAID);
	assert_int_equal(says("\n\n\nRmProfilingAdminOnly:\t0\n"), PERMISSION_ALL);
}

static void test_rights(void **state)
{
	(void)state;
	assert_true(permission_has_rights("Name:\tx\nCapEff:\t000001ffffffffff\n"));
	assert_true(permission_has_rights("CapEff:\t0000000000200000\n")); /* SYS_ADMIN */
	assert_true(permission_has_rights("CapEff:\t0000004000000000\n")); /* PERFMON */
	assert_false(
		permission_has_rights("CapEff:\t00000000a80425fb\n")); /* root in a container */
	assert_false(permission_has_rights("CapEff:\t0000000000000000\nCapBnd:\t1ffffffffff\n"));
	assert_false(permission_has_rights(""));
}

/* Returns the number of a process that has ended. */
static int gone(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return child;
}

static void test_service(void **state)
{
	char text[32];

	(void)state;
	assert_false(permission_uses_mps("."));
	assert_int_equal(mkfifo("control", 0600), 0);
	assert_true(permission_uses_mps("."));
	fill("nvidia-cuda-mps-control.pid", "");
	assert_true(permission_uses_mps("."));
	snprintf(text, sizeof(text), "%d\n", getpid());
	fill("nvidia-cuda-mps-control.pid", text);
	assert_true(permission_uses_mps("."));
	fill("nvidia-cuda-mps-control.pid", "1\n");
	assert_true(permission_uses_mps("."));
	snprintf(text, sizeof(text), "%d\n", gone());
	fill("nvidia-cuda-mps-control.pid", text);
	assert_false(permission_uses_mps("."));
}

static void test_folder(void **state)
{
	(void)state;
	setenv("CUDA_MPS_PIPE_DIRECTORY", "/here", 1);
	assert_string_equal(permission_mps_folder(), "/here");
	setenv("CUDA_MPS_PIPE_DIRECTORY", "", 1);
	assert_string_equal(permission_mps_folder(), "/tmp/nvidia-mps");
	unsetenv("CUDA_MPS_PIPE_DIRECTORY");
	assert_string_equal(permission_mps_folder(), "/tmp/nvidia-mps");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_driver, set_up, tear_down),
		cmocka_unit_test(test_rights),
		cmocka_unit_test_setup_teardown(test_service, set_up, tear_down),
		cmocka_unit_test(test_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
