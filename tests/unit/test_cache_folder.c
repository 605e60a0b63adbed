/* SPDX-License-Identifier: MIT */
/* The folder of the cache: where it is, whether it can be trusted, and that it cannot be written
 * to. */
#include "cache_common.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "rewrite/cache_folder.h"

static void expect_folder(const char *path, const char *reason)
{
	struct cache_folder found;
	bool is_used = cache_folder_open(&found, false);

	assert_string_equal(strbuf_text(&found.path), path);
	assert_int_equal(is_used || found.is_missing, !reason);
	if (reason)
		assert_string_equal(strbuf_text(&found.reason), reason);
	cache_folder_close(&found);
	if (reason)
		keep("source", "result");
	assert_true(!reason || !is_found("source", "result"));
}

static void test_variables(void **state)
{
	char base[96], below[128];

	(void)state;
	setenv("COMPUTEPROF_CACHE", "off", 1);
	setenv("HOME", scratch, 1);
	expect_folder("", "COMPUTEPROF_CACHE is off");
	setenv("COMPUTEPROF_CACHE", "here", 1);
	expect_folder("", "COMPUTEPROF_CACHE is neither off nor an absolute path");
	snprintf(below, sizeof(below), "%s/.cache/computeprof", scratch);
	setenv("COMPUTEPROF_CACHE", "", 1);
	expect_folder(below, NULL);
	unsetenv("COMPUTEPROF_CACHE");
	expect_folder(below, NULL);
	keep("source", "result");
	assert_int_equal(access(below, R_OK), 0);
	setenv("XDG_CACHE_HOME", "here", 1);
	expect_folder(below, NULL);
	snprintf(base, sizeof(base), "%s/xdg", scratch);
	snprintf(below, sizeof(below), "%s/xdg/computeprof", scratch);
	setenv("XDG_CACHE_HOME", base, 1);
	expect_folder(below, NULL);
	keep("source", "result");
	assert_int_equal(access(below, R_OK), 0);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	expect_folder("", "neither XDG_CACHE_HOME nor HOME is an absolute path");
	setenv("HOME", "/nonexistent/home", 1);
	expect_folder("/nonexistent/home/.cache/computeprof", "No such file or directory");
}

static void test_folders(void **state)
{
	char link[128];

	(void)state;
	mkdir(folder, 0770);
	chmod(folder, 0770);
	expect_folder(folder, "other users can write to it");
	chmod(folder, 0707);
	expect_folder(folder, "other users can write to it");
	chmod(folder, 0755);
	expect_folder(folder, NULL);
	snprintf(link, sizeof(link), "%s/link", scratch);
	assert_int_equal(symlink(folder, link), 0);
	setenv("COMPUTEPROF_CACHE", link, 1);
	expect_folder(link, NULL);
	if (!geteuid()) {
		assert_int_equal(lchown(link, NOBODY, NOBODY), 0);
		expect_folder(link, "other users can replace it");
		setenv("COMPUTEPROF_CACHE", folder, 1);
		assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
		expect_folder(folder, "it belongs to another user");
		setenv("COMPUTEPROF_CACHE", link, 1);
		unlink(link);
		remove_all(folder);
		assert_int_equal(mkdir(folder, 0700), 0);
		assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
		snprintf(link, sizeof(link), "%s/mine", folder);
		setenv("COMPUTEPROF_CACHE", link, 1);
		expect_folder(link, "Permission denied");
	}
	unlink(link);
	remove_all(folder);
	write_whole(folder, "", 0);
	setenv("COMPUTEPROF_CACHE", folder, 1);
	expect_folder(folder, "Not a directory");
}

static void look_without_writing(void)
{
	struct strbuf text = STRBUF_INIT;

	if (!geteuid() && setuid(NOBODY))
		_exit(2);
	chmod(folder, 0500);
	keep("other", "result");
	if (!is_found("source", "result") || is_found("other", "result"))
		_exit(3);
	if (cache_describe(&text) ||
	    !strstr(strbuf_text(&text), " 4 KiB, and no more are added: Permission denied"))
		_exit(4);
	chmod(folder, 0700);
	_exit(0);
}

static void test_read_only(void **state)
{
	int status;
	pid_t child;

	(void)state;
	keep("source", "result");
	if (!geteuid()) {
		assert_int_equal(chown(path_of("source"), NOBODY, NOBODY), 0);
		assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
	}
	child = fork();
	if (!child)
		look_without_writing();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_full(void **state)
{
	const struct rlimit small = {100, RLIM_INFINITY};
	struct rlimit before;

	(void)state;
	keep("source", "result");
	getrlimit(RLIMIT_FSIZE, &before);
	setrlimit(RLIMIT_FSIZE, &small);
	keep("other", "result");
	keep("source", "another result");
	setrlimit(RLIMIT_FSIZE, &before);
	assert_false(is_found("other", "result"));
	assert_true(is_found("source", "result"));
	assert_int_equal(count_files(), 1);
}

static void test_described(void **state)
{
	struct strbuf text = STRBUF_INIT;
	char wanted[256];

	(void)state;
	assert_true(cache_describe(&text));
	snprintf(wanted, sizeof(wanted), "%s is made when a source is rewritten", folder);
	assert_string_equal(strbuf_text(&text), wanted);
	keep("source", "result");
	text.length = 0;
	assert_true(cache_describe(&text));
	snprintf(wanted, sizeof(wanted), "%s has 1 rewritten source, 4 KiB", folder);
	assert_string_equal(strbuf_text(&text), wanted);
	keep("other", "result");
	text.length = 0;
	assert_true(cache_describe(&text));
	snprintf(wanted, sizeof(wanted), "%s has 2 rewritten sources, 8 KiB", folder);
	assert_string_equal(strbuf_text(&text), wanted);
	chmod(folder, 0777);
	text.length = 0;
	assert_false(cache_describe(&text));
	snprintf(wanted, sizeof(wanted),
		 "rewritten sources are not kept: %s: other users can write to it", folder);
	assert_string_equal(strbuf_text(&text), wanted);
	setenv("COMPUTEPROF_CACHE", "off", 1);
	text.length = 0;
	assert_false(cache_describe(&text));
	assert_string_equal(strbuf_text(&text),
			    "rewritten sources are not kept: COMPUTEPROF_CACHE is off");
	strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_variables, set_up),
		cmocka_unit_test_setup(test_folders, set_up),
		cmocka_unit_test_setup(test_read_only, set_up),
		cmocka_unit_test_setup(test_full, set_up),
		cmocka_unit_test_setup(test_described, set_up),
	};
	int failures;

	if (make_scratch())
		return 1;
	failures = cmocka_run_group_tests(tests, NULL, NULL);
	remove_all(scratch);
	return failures;
}
