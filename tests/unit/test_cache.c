/* SPDX-License-Identifier: MIT */
/* The cache of computeprof-rewrite: what it gives back is what was kept, and nothing else. */
#include "cache_common.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

static void set_age(const char *path, int seconds)
{
	const struct timespec times[2] = {{.tv_sec = time(NULL) - seconds},
					  {.tv_sec = time(NULL) - seconds}};

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static char *read_whole(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *bytes = malloc(65536);

	assert_non_null(file);
	*size = fread(bytes, 1, 65536, file);
	fclose(file);
	return bytes;
}

static void test_kept(void **state)
{
	struct stat status;

	(void)state;
	assert_false(is_found("source", "result"));
	assert_int_equal(access(folder, F_OK), -1);
	keep("source", "result");
	assert_true(is_found("source", "result"));
	assert_int_equal(stat(folder, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	assert_int_equal(stat(path_of("source"), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	keep("source", "another result");
	assert_true(is_found("source", "another result"));
	keep("", "");
	assert_true(is_found("", ""));
	assert_int_equal(count_files(), 2);
}

static void test_other_requests(void **state)
{
	static const char *const ab[] = {"ab", "c", NULL}, *const a[] = {"a", "bc", NULL};
	struct rewrite_request others[] = {plain, plain, plain, plain, plain, plain, plain};

	(void)state;
	keep("source", "result");
	others[0].file = "b.cl";
	others[1].extensions = "";
	others[2].extensions = "cl_khr_fp64";
	others[3].stripes = 8;
	others[4].sums = SUMS_ACCESS;
	others[5].options = ab;
	others[6].options = a;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct cache one, other;

		assert_null(find_as(&others[i], "one", "source"));
		for (size_t j = 0; j < i; j++) {
			begin(&one, &others[i], "one", "source");
			begin(&other, &others[j], "one", "source");
			assert_string_not_equal(one.name, other.name);
			cache_end(&one);
			cache_end(&other);
		}
	}
	assert_null(find_as(&plain, "two", "source"));
	assert_null(find_as(&plain, "one", "source "));
	assert_true(is_found("source", "result"));
}

static void test_same_name(void **state)
{
	static const char *const others[] = {"other", "sourcE", "sourc", "source "};
	size_t size;
	char *bytes;

	(void)state;
	keep("source", "result");
	bytes = read_whole(path_of("source"), &size);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		write_whole(path_of(others[i]), bytes, size);
		assert_int_equal(chmod(path_of(others[i]), 0600), 0);
		assert_false(is_found(others[i], "result"));
	}
	free(bytes);
}

static void test_included(void **state)
{
	char present[128], missing[128];
	struct inclusion second = {.path = present, .text = "text", .length = 4};
	struct inclusion first = {.next = &second, .path = missing};

	(void)state;
	snprintf(present, sizeof(present), "%s/present.h", scratch);
	snprintf(missing, sizeof(missing), "%s/missing.h", scratch);
	write_whole(present, "text", 4);
	keep_with("source", "result", &first);
	assert_true(is_found("source", "result"));
	write_whole(present, "texT", 4);
	assert_false(is_found("source", "result"));
	write_whole(present, "text ", 5);
	assert_false(is_found("source", "result"));
	unlink(present);
	assert_false(is_found("source", "result"));
	write_whole(present, "text", 4);
	assert_true(is_found("source", "result"));
	write_whole(missing, "", 0);
	assert_false(is_found("source", "result"));
	unlink(missing);
	assert_true(is_found("source", "result"));
}

static void test_damaged(void **state)
{
	const char *path;
	size_t size;
	char *bytes;

	(void)state;
	keep("source", "result");
	path = path_of("source");
	bytes = read_whole(path, &size);
	for (size_t i = 0; i < size; i++) {
		for (int bit = 0; bit < 8; bit++) {
			bytes[i] ^= (char)(1 << bit);
			write_whole(path, bytes, size);
			assert_null(find_as(&plain, "one", "source"));
			bytes[i] ^= (char)(1 << bit);
		}
		write_whole(path, bytes, i);
		assert_null(find_as(&plain, "one", "source"));
	}
	bytes = realloc(bytes, size + 1);
	bytes[size] = '\0';
	write_whole(path, bytes, size + 1);
	assert_null(find_as(&plain, "one", "source"));
	write_whole(path, bytes, size);
	assert_true(is_found("source", "result"));
	write_whole(path, bytes, size / 2);
	keep("source", "again");
	assert_true(is_found("source", "again"));
	free(bytes);
}

static void test_foreign_entries(void **state)
{
	static const mode_t modes[] = {0620, 0602, 0666};
	char path[256], elsewhere[128];

	(void)state;
	keep("source", "result");
	snprintf(path, sizeof(path), "%s", path_of("source"));
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", scratch);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		chmod(path, modes[i]);
		assert_false(is_found("source", "result"));
	}
	chmod(path, 0600);
	assert_true(is_found("source", "result"));
	if (!geteuid()) {
		assert_int_equal(chown(path, NOBODY, NOBODY), 0);
		assert_false(is_found("source", "result"));
		assert_int_equal(chown(path, 0, 0), 0);
	}
	assert_int_equal(rename(path, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, path), 0);
	assert_false(is_found("source", "result"));
	keep("source", "result");
	assert_true(is_found("source", "result"));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(is_found("source", "result"));
	keep("source", "result");
	assert_true(is_found("source", "result"));
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	keep("source", "result");
	assert_false(is_found("source", "result"));
	assert_int_equal(count_files(), 1);
}

static void test_size(void **state)
{
	char source[8], path[256], *large = calloc(1, 8192);

	(void)state;
	memset(large, 'x', 8191);
	for (int i = 0; i < 6; i++) {
		snprintf(source, sizeof(source), "%d", i);
		keep(source, source);
		set_age(path_of(source), 600 - 60 * i);
	}
	assert_true(is_found("1", "1")); /* it is the newest now */
	most = 4 * 4096;
	keep("6", "6");
	assert_int_equal(count_files(), 4);
	assert_true(is_found("1", "1") && is_found("4", "4") && is_found("5", "5") &&
		    is_found("6", "6"));
	most = 8191;
	keep("large", large);
	assert_false(is_found("large", large));
	assert_int_equal(count_files(), 4);
	keep("5", "5");
	assert_int_equal(count_files(), 1);
	most = MOST;
	keep("large", large);
	assert_true(is_found("large", large));
	snprintf(path, sizeof(path), "%s/other file", folder);
	write_whole(path, large, 8191);
	set_age(path, 100000);
	snprintf(path, sizeof(path), "%s/new.old", folder);
	write_whole(path, large, 8191);
	set_age(path, 4000);
	snprintf(path, sizeof(path), "%s/new.future", folder);
	write_whole(path, large, 8191);
	set_age(path, -4000);
	snprintf(path, sizeof(path), "%s/new.young", folder);
	write_whole(path, large, 8191);
	set_age(path, 3000);
	most = 0;
	keep("1", "1");
	most = 4096;
	keep("1", "1");
	assert_true(is_found("1", "1"));
	assert_int_equal(count_files(), 3);
	free(large);
}

enum { WRITERS = 4, ROUNDS = 150 };

static void write_and_read(int number)
{
	unsigned seed = (unsigned)number;
	char source[16], result[64];

	most = (uint64_t)3 * 4096;
	for (int i = 0; i < ROUNDS; i++) {
		unsigned which = (unsigned)rand_r(&seed) % 6;

		snprintf(source, sizeof(source), "source %u", which);
		snprintf(result, sizeof(result), "result of %u", which);
		is_found(source, result);
		keep(source, result);
	}
	_exit(0);
}

static void test_several_processes(void **state)
{
	pid_t child[WRITERS];
	int status;

	(void)state;
	for (int i = 0; i < WRITERS; i++) {
		child[i] = fork();
		if (!child[i])
			write_and_read(i);
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	most = (uint64_t)3 * 4096;
	keep("last", "last");
	assert_true(is_found("last", "last"));
	assert_in_range(count_files(), 1, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_kept, set_up),
		cmocka_unit_test_setup(test_other_requests, set_up),
		cmocka_unit_test_setup(test_same_name, set_up),
		cmocka_unit_test_setup(test_included, set_up),
		cmocka_unit_test_setup(test_damaged, set_up),
		cmocka_unit_test_setup(test_foreign_entries, set_up),
		cmocka_unit_test_setup(test_size, set_up),
		cmocka_unit_test_setup(test_several_processes, set_up),
	};
	int failures;

	if (make_scratch())
		return 1;
	failures = cmocka_run_group_tests(tests, NULL, NULL);
	remove_all(scratch);
	return failures;
}
