/* SPDX-License-Identifier: MIT */
#include "backend/cuda/libcupti_path.h"

#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

struct walk {
	int (*take)(const char *path, void *argument);
	void *argument;
	char loaded[PATH_MAX]; /* path of the loaded one */
	char packages[PATH_MAX]; /* the folder of Python packages that a library came from */
};

/* No pointers are used: the dynamic linker would have to relocate each at every start. */
static const char sonames[][18] = {
	"libcupti.so.13",   "libcupti.so.12",	"libcupti.so.11.8", "libcupti.so.11.7",
	"libcupti.so.11.6", "libcupti.so.11.5", "libcupti.so.11.4", "libcupti.so.11.3",
	"libcupti.so.11.2", "libcupti.so.11.1", "libcupti.so.11.0", "libcupti.so.10.2",
	"libcupti.so.10.1", "libcupti.so.10.0", "libcupti.so.9.2",  "libcupti.so.9.1",
	"libcupti.so.9.0",  "libcupti.so.8.0",	"libcupti.so",
};

/* Relative to a toolkit's folder. */
static const char *const in_toolkit[] = {
	"extras/CUPTI/lib64",
	"lib64",
	"targets/x86_64-linux/lib",
	"targets/sbsa-linux/lib",
	"targets/aarch64-linux/lib",
};

/* Relative to a folder of Python packages. */
static const char *const in_packages[] = {
	"nvidia/cu13/lib",
	"nvidia/cuda_cupti/lib",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *libcupti_path_choice(void)
{
	const char *choice = env_get("COMPUTEPROF_CUPTI");

	return choice && *choice ? choice : NULL;
}

static int take(struct walk *walk, const char *path)
{
	if (strstr(path, "/stubs/"))
		return 0;
	return walk->take(path, walk->argument);
}

/* Tries the newest first: the names end in the version. */
static int take_matching(struct walk *walk, const char *pattern)
{
	glob_t found;
	int result = 0;

	if (glob(pattern, 0, NULL, &found))
		return 0;
	for (size_t i = found.gl_pathc; i-- > 0 && !result;)
		result = take(walk, found.gl_pathv[i]);
	globfree(&found);
	return result;
}

static int take_below(struct walk *walk, const char *root, const char *const *folders, size_t count)
{
	char pattern[PATH_MAX];
	int result = 0;

	for (size_t i = 0; i < count && !result; i++) {
		int length = snprintf(pattern, sizeof(pattern), "%s/%s/libcupti.so.[0-9]*", root,
				      folders[i]);

		if (length > 0 && (size_t)length < sizeof(pattern))
			result = take_matching(walk, pattern);
	}
	return result;
}

static int look_at_loaded(struct dl_phdr_info *info, size_t size, void *argument)
{
	static const char *const markers[] = {"/site-packages/", "/dist-packages/"};
	struct walk *walk = argument;
	const char *path = info->dlpi_name;
	const char *name = path ? strrchr(path, '/') : NULL;

	(void)size;
	if (!name || strlen(path) >= PATH_MAX)
		return 0;
	if (!strncmp(name, "/libcupti.so", 12) && !*walk->loaded)
		strcpy(walk->loaded, path);
	for (size_t i = 0; i < COUNT(markers) && !*walk->packages; i++) {
		const char *at = strstr(path, markers[i]);

		if (at)
			snprintf(walk->packages, PATH_MAX, "%.*s",
				 (int)((size_t)(at - path) + strlen(markers[i]) - 1), path);
	}
	return 0;
}

static int take_toolkits(struct walk *walk)
{
	static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"};
	static const char *const roots[] = {"/usr/local/cuda", "/usr/local/cuda-[0-9]*",
					    "/opt/cuda", "/opt/cuda-[0-9]*", "/usr/lib/cuda"};
	int result = 0;

	for (size_t i = 0; i < COUNT(variables) && !result; i++) {
		const char *root = env_get(variables[i]);

		if (root && *root)
			result = take_below(walk, root, in_toolkit, COUNT(in_toolkit));
	}
	for (size_t i = 0; i < COUNT(roots) && !result; i++)
		result = take_below(walk, roots[i], in_toolkit, COUNT(in_toolkit));
	return result;
}

/* Tries `root`/lib/python3.11/site-packages and similar folders. */
static int take_python(struct walk *walk, const char *root)
{
	static const char *const folders[] = {"lib/python3*/site-packages",
					      "lib/python3*/dist-packages",
					      "lib64/python3*/site-packages"};
	char packages[PATH_MAX];
	int result = 0;

	for (size_t i = 0; root && *root && i < COUNT(folders) && !result; i++) {
		int length = snprintf(packages, sizeof(packages), "%s/%s", root, folders[i]);

		if (length > 0 && (size_t)length < sizeof(packages))
			result = take_below(walk, packages, in_packages, COUNT(in_packages));
	}
	return result;
}

/* Sets the prefix of the interpreter's installation: the parent of the program's folder. */
static void find_prefix(char *prefix, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", prefix, size - 1);
	char *slash;

	prefix[length > 0 ? length : 0] = '\0';
	for (int i = 0; i < 2; i++) {
		slash = strrchr(prefix, '/');
		if (slash)
			*slash = '\0';
	}
}

static int take_packages(struct walk *walk)
{
	const char *home = env_get("HOME");
	char prefix[PATH_MAX], local[PATH_MAX];
	int result = 0;

	if (*walk->packages)
		result = take_below(walk, walk->packages, in_packages, COUNT(in_packages));
	if (!result)
		result = take_python(walk, env_get("VIRTUAL_ENV"));
	if (!result)
		result = take_python(walk, env_get("CONDA_PREFIX"));
	find_prefix(prefix, sizeof(prefix));
	if (!result)
		result = take_python(walk, prefix);
	if (!result && home && strlen(home) + sizeof("/.local") <= sizeof(local)) {
		snprintf(local, sizeof(local), "%s/.local", home);
		result = take_python(walk, local);
	}
	if (!result)
		result = take_python(walk, "/usr/local");
	if (!result)
		result = take_python(walk, "/usr");
	return result;
}

int libcupti_path_walk(int (*take_one)(const char *path, void *argument), void *argument)
{
	struct walk walk = {.take = take_one, .argument = argument};
	int result = 0;

	if (libcupti_path_choice())
		return take_one(libcupti_path_choice(), argument);
	dl_iterate_phdr(look_at_loaded, &walk);
	if (*walk.loaded)
		result = take(&walk, walk.loaded);
	for (size_t i = 0; i < COUNT(sonames) && !result; i++)
		result = take(&walk, sonames[i]);
	if (!result)
		result = take_toolkits(&walk);
	if (!result)
		result = take_packages(&walk);
	return result;
}
