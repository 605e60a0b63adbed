/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "settings/config.h"

#include "folder.h"

/* Whole files: those of real programs, and the ready-made ones of this tree. */

#define BIT(name)  (1U << COLUMN_ID_##name)
#define TIMES	   (BIT(GPU_START) | BIT(GPU_END))
#define LAUNCH	   (BIT(GRID3D) | BIT(BLOCK))
#define MEMORY	   (BIT(DYNAMIC_SHARED) | BIT(STATIC_SHARED) | BIT(REGISTERS))
#define COPIES	   (BIT(BYTES) | BIT(DIRECTION))
#define CACHES	   (BIT(CACHE_EXECUTED) | BIT(CACHE_REQUESTED))
#define ANY_OPTION (~(BIT(METHOD) | BIT(GPU) | BIT(CPU) | BIT(OCCUPANCY) | BIT(GRID)))

struct file {
	const char *name;
	uint32_t columns;
	unsigned counters;
};

static const struct file real_files[] = {
	{"RCUDA_prof.config", BIT(GPU_START) | LAUNCH | MEMORY | COPIES | BIT(STREAM), 3},
	{"RTX2080_blog_profile.conf",
	 LAUNCH | MEMORY | COPIES | BIT(HOST_MEMORY) | BIT(STREAM) | CACHES, 2},
	{"TeaLeaf_OpenCL_config.log", BIT(STREAM) | BIT(GPU_START) | LAUNCH, 0},
	{"b40c_bfs_profile.config.a", 0, 3},
	{"b40c_bfs_profile.config.b", 0, 3},
	{"b40c_profile_config.dat.fermi", 0, 3},
	{"b40c_profile_config.dat.g80", 0, 4},
	{"b40c_profile_config.dat.tesla.a", 0, 4},
	{"b40c_profile_config.dat.tesla.b", 0, 4},
	{"caffe2_generated.conf",
	 TIMES | LAUNCH | MEMORY | COPIES | BIT(HOST_MEMORY) | BIT(STREAM) | CACHES, 2},
	{"learnOpenCL_nvvp.cfg", BIT(STREAM) | TIMES | BIT(GRID) | BIT(BLOCK) | MEMORY | BIT(BYTES),
	 0},
	{"paddle_fluid_default.conf", TIMES | LAUNCH | BIT(STREAM), 0},
	{"rodinia_mummergpu_global.cnf", 0, 4},
	{"rodinia_mummergpu_instructions.cnf", 0, 4},
	{"schnaps_nvvp.cfg", BIT(STREAM) | TIMES, 0},
};

static const struct file ready_files[] = {
	{"timing.conf", BIT(TIMESTAMP), 0},
	{"timeline.conf", BIT(STREAM) | TIMES, 0},
	{"memory.conf", COPIES | BIT(HOST_MEMORY) | BIT(STREAM), 0},
	{"launch.conf", LAUNCH | MEMORY | BIT(LOCAL_BLOCK) | BIT(STREAM), 0},
	{"all.conf", ANY_OPTION &((1U << COLUMN_COUNT) - 1) & ~(1U << COLUMN_ID_CALLER), 0},
	{"instructions.conf", 0, 5},
	{"cache.conf", 0, 5},
	{"branch.conf", 0, 4},
	{"traffic.conf", 0, 6},
	{"occupancy.conf", LAUNCH | MEMORY, 5},
};

static const char *source(void)
{
	const char *folder = getenv("srcdir");

	return folder ? folder : ".";
}

static void check_file(const char *folder, const struct file *file)
{
	struct settings settings;
	const char *warnings;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, file->name);
	settings = (struct settings){.layout.api = API_CUDA, .start_enabled = true};
	config_load(&settings, path);
	warnings = strbuf_text(&settings.warnings);
	if (settings.bad_config || settings.layout.columns != file->columns || *warnings ||
	    settings.counters.count != file->counters)
		fail_msg("%s: columns %x, %u counters, warnings %s", path, settings.layout.columns,
			 settings.counters.count, warnings);
	settings_free(&settings);
}

static void test_real(void **state)
{
	const char *shared = getenv("COMPUTEPROF_SHARED_DATA");
	char folder[4000];
	struct stat status;

	(void)state;
	if (shared)
		snprintf(folder, sizeof(folder), "%s/configs", shared);
	else
		snprintf(folder, sizeof(folder), "%s/../shared/data/configs", source());
	if (stat(folder, &status))
		skip();
	for (size_t i = 0; i < sizeof(real_files) / sizeof(real_files[0]); i++)
		check_file(folder, &real_files[i]);
}

/* A file added to the collection must be added here. */
static void test_real_complete(void **state)
{
	const char *shared = getenv("COMPUTEPROF_SHARED_DATA");
	char path[4096];
	unsigned files = 0;
	DIR *folder;

	(void)state;
	if (shared)
		snprintf(path, sizeof(path), "%s/configs", shared);
	else
		snprintf(path, sizeof(path), "%s/../shared/data/configs", source());
	folder = opendir(path);
	if (!folder)
		skip();
	for (struct dirent *entry; (entry = readdir(folder));)
		files += entry->d_name[0] != '.' && strcmp(entry->d_name, "INDEX.md") != 0;
	closedir(folder);
	assert_int_equal(files, sizeof(real_files) / sizeof(real_files[0]));
}

static void test_ready_made(void **state)
{
	char folder[4000];

	(void)state;
	snprintf(folder, sizeof(folder), "%s/config", source());
	for (size_t i = 0; i < sizeof(ready_files) / sizeof(ready_files[0]); i++)
		check_file(folder, &ready_files[i]);
}

static void check_found(const char *name, const char *expected)
{
	char *path = config_find(name);
	int error = errno;

	if (expected)
		assert_string_equal(path, expected);
	else
		assert_null(path);
	free(path);
	errno = error;
}

static void test_bare_names(void **state)
{
	char folder[4000], expected[4096];

	(void)state;
	snprintf(folder, sizeof(folder), "%s/config", source());
	snprintf(expected, sizeof(expected), "%s/memory.conf", folder);
	setenv("COMPUTEPROF_CONFIG_DIR", folder, 1);
	check_found("memory", expected);
	check_found("memory.conf", expected);
	check_found("./memory", NULL);
	check_found("no-such-name", NULL);
	check_found(expected, expected);
	setenv("COMPUTEPROF_CONFIG_DIR", "/nonexistent", 1);
	check_found("memory", NULL);
	unsetenv("COMPUTEPROF_CONFIG_DIR");
}

/* In a project with a folder called memory, the bare name still means the installed file. */
static void test_bare_name_of_folder(void **state)
{
	char made[] = "/tmp/test_configfiles.XXXXXX";
	char started_in[4000], folder[8192], expected[8300];

	(void)state;
	assert_non_null(getcwd(started_in, sizeof(started_in)));
	assert_non_null(mkdtemp(made));
	snprintf(folder, sizeof(folder), "%s/config", *source() == '/' ? source() : started_in);
	snprintf(expected, sizeof(expected), "%s/memory.conf", folder);
	setenv("COMPUTEPROF_CONFIG_DIR", folder, 1);
	assert_int_equal(chdir(made), 0);
	assert_int_equal(mkdir("memory", 0700), 0);
	if (access(expected, R_OK) == 0)
		check_found("memory", expected);
	setenv("COMPUTEPROF_CONFIG_DIR", "/nonexistent", 1);
	check_found("memory", "memory");
	rmdir("memory");
	assert_int_equal(chdir(started_in), 0);
	rmdir(made);
	unsetenv("COMPUTEPROF_CONFIG_DIR");
}

/* The search path of a name without a slash. */
static void test_find(void **state)
{
	static char long_name[5000];

	(void)state;
	assert_int_equal(mkdir("there", 0700) | mkdir("there/name.conf", 0700), 0);
	setenv("COMPUTEPROF_CONFIG_DIR", "", 1);
	check_found("no-such-name", NULL);
	assert_int_equal(errno, ENOENT);
	setenv("COMPUTEPROF_CONFIG_DIR", "there", 1);
	check_found("name", NULL); /* a folder does not count */
	fclose(fopen("there/name", "w"));
	check_found("name", "there/name");
	fclose(fopen("there/other.conf", "w"));
	check_found("other", "there/other.conf");
	/* A folder of that name hides no installed file, a file does. */
	assert_int_equal(mkdir("other", 0700), 0);
	check_found("other", "there/other.conf");
	check_found("there", "there");
	fclose(fopen("name", "w"));
	check_found("name", "name");
	memset(long_name, 'a', sizeof(long_name) - 1);
	check_found(long_name, NULL);
	assert_int_equal(errno, ENAMETOOLONG);
	check_found("./name", "./name");
	unsetenv("COMPUTEPROF_CONFIG_DIR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_real_complete),
		cmocka_unit_test(test_ready_made),
		cmocka_unit_test(test_bare_names),
		cmocka_unit_test(test_bare_name_of_folder),
		cmocka_unit_test_setup_teardown(test_find, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
