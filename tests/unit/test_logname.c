/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/logname.h"

#include "folder.h"

#define LOG_START "# OPENCL_PROFILE_LOG_VERSION 2.0\n"

enum { PID = 4321 };

static struct catalog catalog;
static struct settings rules[API_COUNT];
static const struct settings *settings[API_COUNT];
static struct logs logs;

static int prepare(void **state)
{
	if (set_up(state) || catalog_init(&catalog))
		return -1;
	for (int api = 0; api < API_COUNT; api++) {
		rules[api] = (struct settings){.layout = {.api = (enum api)api}};
		settings[api] = &rules[api];
	}
	for (uint32_t i = 0; i < 3; i++) {
		enum api api = i < 2 ? API_OPENCL : API_CUDA;

		catalog_add_device(&catalog, &(struct device){
						     .api = api, .number = i % 2, .name = "d"});
		catalog_add_context(&catalog,
				    &(struct context){.api = api, .index = i, .device = i});
	}
	catalog.process.pid = PID;
	return logs_init(&logs, &catalog, settings, NULL);
}

static int forget(void **state)
{
	logs_free(&logs);
	catalog_free(&catalog);
	return tear_down(state);
}

/* Opens the log of a device and its context, as logs_open does, and checks its name. */
static void opens(uint32_t device, const char *pattern, const char *name)
{
	struct log_file *log = logs_of(&logs, device, device);

	assert_non_null(log);
	assert_int_equal(logs_open_name(&logs, log, pattern, &log->file, &log->path), 0);
	assert_string_equal(strrchr(log->path, '/') + 1, name);
	assert_int_equal(access(name, F_OK), 0);
}

static void trace_opens(const char *pattern, const char *name)
{
	assert_int_equal(
		logs_open_name(&logs, NULL, pattern, &logs.trace.file, &logs.trace.path), 0);
	assert_string_equal(strrchr(logs.trace.path, '/') + 1, name);
}

static void test_patterns(void **state)
{
	(void)state;
	opens(0, "log_%d_%p.txt", "log_0_4321.txt");
	opens(1, "log_%d_%p.txt", "log_1_4321.txt");
	opens(2, "100%%s%n.log", "100%s%n.log");
}

static void test_collisions(void **state)
{
	(void)state;
	opens(0, "a.log", "a.log");
	opens(1, "a.log", "a.1.log");
	opens(2, "a.log", "a.cuda.log");
	trace_opens("a.log", "a.4321.log");
}

static void test_contexts(void **state)
{
	(void)state;
	rules[API_OPENCL].layout.dialect = DIALECT_CUDA4;
	opens(0, "a_%d.log", "a_0.log");
	opens(1, "a_%d.log", "a_1.log");
	opens(2, "a_0.log", "a_0.cuda.log");
}

static void test_forked(void **state)
{
	(void)state;
	logs.forked = true;
	opens(0, "a.log", "a.4321.log");
	opens(1, "b_%p.log", "b_4321.log");
	trace_opens("trace", "trace.4321");
}

/* Another process has the log, and a third one the next name. */
static void test_two_processes(void **state)
{
	int ready[2], done[2], status;
	pid_t child;
	char byte;

	(void)state;
	assert_int_equal(pipe(ready) | pipe(done), 0);
	child = fork();
	if (!child) {
		struct file one, two;
		static const char rows[] = LOG_START "theirs\n";
		size_t size = sizeof(rows) - 1;

		if (file_open_log(&one, "a.log", true) || file_open_log(&two, "a.4321.log", true) ||
		    file_write(one.fd, rows, size) != size || write(ready[1], "x", 1) != 1 ||
		    read(done[0], &byte, 1) != 1)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	opens(0, "a.log", "a.4321.1.log");
	opens(1, "a.log", "a.1.4321.1.log");
	assert_int_equal(write(done[1], "x", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(system("grep -q theirs a.log"), 0);
	/* Unlocked again: the next one truncates it. */
	opens(2, "a.log", "a.log");
	assert_int_equal(system("test ! -s a.log"), 0);
}

static void test_recovery_keeps_what_exists(void **state)
{
	(void)state;
	assert_int_equal(system("echo mine >a.log; : >empty.log"), 0);
	logs.keep_existing = true;
	opens(0, "a.log", "a.4321.log");
	opens(1, "empty.log", "empty.log");
	assert_int_equal(system("grep -q mine a.log"), 0);
}

static void refused(const char *pattern, int error)
{
	struct log_file *log = logs_of(&logs, 0, 0);
	struct file file;
	char *path = NULL;

	errno = 0;
	assert_int_equal(logs_open_name(&logs, log, pattern, &file, &path), -1);
	assert_int_equal(errno, error);
	assert_null(path);
}

static void test_failing_calls(void **state)
{
	char name[5001];

	(void)state;
	memset(name, 'x', 5000);
	name[5000] = '\0';
	refused(name, ENAMETOOLONG);
	name[300] = '\0';
	refused(name, ENAMETOOLONG);
	refused("nowhere/a.log", ENOENT);
	refused(".", EISDIR);
	assert_int_equal(symlink("/etc/passwd", "link"), 0);
	refused("link", ELOOP);
}

static void test_too_many(void **state)
{
	(void)state;
	assert_null(logs_of(&logs, 3, 0));
	assert_null(logs_of(&logs, 0, 3));
	assert_null(logs_of(&logs, 0, UINT32_MAX));
	assert_ptr_equal(logs_of(&logs, 0, 0), logs_of(&logs, 0, 1));
	assert_ptr_not_equal(logs_of(&logs, 0, 0), logs_of(&logs, 1, 0));
	settings[API_CUDA] = NULL;
	assert_null(logs_of(&logs, 2, 2));
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A log of an earlier run is replaced; one written since this process began is not. */
static void test_same_run(void **state)
{
	const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};

	(void)state;
	write_file("old.log", LOG_START);
	write_file("new.log", LOG_START);
	write_file("empty.log", "");
	assert_int_equal(utimensat(AT_FDCWD, "old.log", old, 0), 0);
	catalog.process.started = UINT64_C(5000) * 1000000000;
	catalog.process.monotonic_to_epoch = INT64_C(1000) * 1000000000;
	opens(0, "old.log", "old.log");
	opens(1, "new.log", "new.4321.log");
	opens(2, "empty.log", "empty.log");
	catalog.process.started = 0;
}

/* Nor is one that it wrote before an exec, which does not change the start of the process. */
static void test_same_process(void **state)
{
	const struct timespec before[2] = {{.tv_sec = 4000}, {.tv_sec = 4000}};

	(void)state;
	write_file("one.log", LOG_START);
	write_file("two.log", LOG_START);
	assert_int_equal(utimensat(AT_FDCWD, "one.log", before, 0), 0);
	assert_int_equal(utimensat(AT_FDCWD, "two.log", before, 0), 0);
	catalog.process.started = UINT64_C(5000) * 1000000000;
	catalog.process.monotonic_to_epoch = 0;
	opens(0, "one.log", "one.log");
	logs.born = INT64_C(3000) * 1000000000;
	opens(1, "two.log", "two.4321.log");
	catalog.process.started = 0;
}

/* A file that is not a log stays, unless the user permits overwriting; a trace may be replaced. */
static void test_foreign(void **state)
{
	(void)state;
	write_file("notes.log", "my notes\n");
	write_file("trace.log", "CPTRACE");
	write_file("warned.log", "NV_Warning: Ignoring the invalid profiler config option: x\n");
	opens(0, "notes.log", "notes.4321.log");
	assert_int_equal(system("grep -q 'my notes' notes.log"), 0);
	opens(1, "trace.log", "trace.log");
	opens(2, "warned.log", "warned.log");
	setenv("COMPUTEPROF_OVERWRITE", "1", 1);
	trace_opens("notes.log", "notes.log");
	unsetenv("COMPUTEPROF_OVERWRITE");
	assert_int_equal(system("test ! -s notes.log"), 0);
}

/* Nor is a file that another process of this run has listed as its log. */
static void test_manifest(void **state)
{
	char line[256];

	(void)state;
	write_file("one.log", LOG_START);
	write_file("two.log", LOG_START);
	snprintf(line, sizeof(line), "ring %s/x\nlog %s/one.log\nlog %s/two.log.log\nlog",
		 directory,
		 directory, directory);
	write_file("manifest", line);
	setenv("COMPUTEPROF_MANIFEST", "manifest", 1);
	opens(0, "one.log", "one.4321.log");
	opens(1, "two.log", "two.log");
	unsetenv("COMPUTEPROF_MANIFEST");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_patterns, prepare, forget),
		cmocka_unit_test_setup_teardown(test_collisions, prepare, forget),
		cmocka_unit_test_setup_teardown(test_contexts, prepare, forget),
		cmocka_unit_test_setup_teardown(test_forked, prepare, forget),
		cmocka_unit_test_setup_teardown(test_same_run, prepare, forget),
		cmocka_unit_test_setup_teardown(test_same_process, prepare, forget),
		cmocka_unit_test_setup_teardown(test_foreign, prepare, forget),
		cmocka_unit_test_setup_teardown(test_manifest, prepare, forget),
		cmocka_unit_test_setup_teardown(test_two_processes, prepare, forget),
		cmocka_unit_test_setup_teardown(test_recovery_keeps_what_exists, prepare, forget),
		cmocka_unit_test_setup_teardown(test_failing_calls, prepare, forget),
		cmocka_unit_test_setup_teardown(test_too_many, prepare, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
