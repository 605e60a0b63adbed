/* SPDX-License-Identifier: MIT */
#include "cli/library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef COMPUTEPROF_LIBRARY
#define COMPUTEPROF_LIBRARY "/usr/local/lib/" LIBRARY_NAME
#endif

#ifndef COMPUTEPROF_CONFIG_DIR
#define COMPUTEPROF_CONFIG_DIR "/usr/local/share/computeprof"
#endif

#ifndef COMPUTEPROF_REWRITE
#define COMPUTEPROF_REWRITE "/usr/local/libexec/computeprof/computeprof-rewrite"
#endif

#ifndef COMPUTEPROF_BIN_DIR
#define COMPUTEPROF_BIN_DIR "/usr/local/bin"
#endif

/* Relative to the directory of the tool. In a libtool build the tool itself is in .libs. */
static const char *const places[] = {
	"/.libs/" LIBRARY_NAME,	 "/" LIBRARY_NAME,	    NULL, /* as installed */
	"/../lib/" LIBRARY_NAME, "/../lib64/" LIBRARY_NAME,
};

static bool exists(struct strbuf *path)
{
	return !access(strbuf_text(path), R_OK);
}

/* The path must be absolute: the program may change its directory before it starts another
 * program. */
static void make_absolute(struct strbuf *path, const char *name)
{
	char *directory = *name == '/' ? NULL : getcwd(NULL, 0);

	if (directory)
		strbuf_printf(path, "%s/", directory);
	strbuf_string(path, name);
	free(directory);
}

static bool beside_tool(struct strbuf *path, const char *place)
{
	char tool[4096];
	ssize_t length = readlink("/proc/self/exe", tool, sizeof(tool));

	while (length > 0 && tool[length - 1] != '/')
		length--;
	if (length <= 1)
		return false;
	path->length = 0;
	strbuf_append(path, tool, length - 1);
	strbuf_string(path, place);
	return exists(path);
}

void library_relative(struct strbuf *to, const char *folder, const char *file)
{
	size_t common = 0;

	for (size_t i = 0; folder[i] == file[i] || (!folder[i] && file[i] == '/'); i++) {
		if (file[i] == '/')
			common = i + 1;
		if (!folder[i])
			break;
	}
	for (const char *at = folder + (common ? common - 1 : 0); *at; at++)
		if (*at == '/' && at[1])
			strbuf_string(to, "../");
	strbuf_string(to, file + common);
}

/* The file of an installation that may have been moved as a whole. */
static bool in_installation(struct strbuf *path, const char *file)
{
	struct strbuf place = STRBUF_INIT;
	bool found;

	strbuf_char(&place, '/');
	library_relative(&place, COMPUTEPROF_BIN_DIR, file);
	found = !place.failed && beside_tool(path, strbuf_text(&place));
	strbuf_free(&place);
	return found;
}

static bool library_beside_tool(struct strbuf *path)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i] ? beside_tool(path, places[i])
			      : in_installation(path, COMPUTEPROF_LIBRARY))
			return true;
	return false;
}

static int reject(struct strbuf *path, const char *why)
{
	struct strbuf sentence = STRBUF_INIT;

	strbuf_printf(&sentence, "the profiler's library %s %s", strbuf_text(path), why);
	strbuf_free(path);
	*path = sentence;
	return -1;
}

int library_find(struct strbuf *path)
{
	const char *given = getenv("COMPUTEPROF_LIBRARY");

	path->length = 0;
	if (given && *given) {
		make_absolute(path, given);
	} else if (!library_beside_tool(path)) {
		path->length = 0;
		strbuf_string(path, COMPUTEPROF_LIBRARY);
	}
	if (!exists(path))
		return reject(path, "is missing; set COMPUTEPROF_LIBRARY to its path");
	if (strpbrk(strbuf_text(path), ": "))
		return reject(path,
			      "has a blank or a colon in its path, which LD_PRELOAD does not "
			      "allow");
	return 0;
}

static const char rewrite_variable[] = "COMPUTEPROF_REWRITE";

int library_rewrite(struct strbuf *path)
{
	const char *given = getenv(rewrite_variable);

	if (given && *given)
		strbuf_string(path, given);
	else if (!beside_tool(path, "/computeprof-rewrite") &&
		 !in_installation(path, COMPUTEPROF_REWRITE) &&
		 !beside_tool(path, "/../libexec/computeprof/computeprof-rewrite")) {
		path->length = 0;
		strbuf_string(path, COMPUTEPROF_REWRITE);
	}
	return access(strbuf_text(path), X_OK);
}

void library_tell_rewrite(void)
{
	struct strbuf path = STRBUF_INIT;

	if (!library_rewrite(&path))
		setenv(rewrite_variable, strbuf_text(&path), 1);
	strbuf_free(&path);
}

bool library_is_ours(const char *entry, size_t length, const char *library)
{
	const char *slash = memrchr(entry, '/', length);
	const char *name = slash ? slash + 1 : entry;

	if (length == strlen(library) && !memcmp(entry, library, length))
		return true;
	length -= name - entry;
	return length >= strlen(LIBRARY_NAME) && !memcmp(name, LIBRARY_NAME, strlen(LIBRARY_NAME));
}

/* An uninstalled tool is in the source folder, or at most two folders below it. */
static bool configs_beside_tool(struct strbuf *path)
{
	static const char *const files[] = {"/config/all.conf", "/../config/all.conf",
					    "/../../config/all.conf"};

	if (!beside_tool(path, places[0]) && !beside_tool(path, places[1]))
		return in_installation(path, COMPUTEPROF_CONFIG_DIR) ||
		       beside_tool(path, "/../share/computeprof");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!beside_tool(path, files[i]))
			continue;
		path->length = (size_t)(strrchr(strbuf_text(path), '/') - strbuf_text(path));
		return true;
	}
	return false;
}

static bool same_folder(const char *left, const char *right)
{
	struct stat status[2];

	return !stat(left, &status[0]) && !stat(right, &status[1]) &&
	       status[0].st_dev == status[1].st_dev && status[0].st_ino == status[1].st_ino;
}

const char *library_configs(void)
{
	static const char variable[] = "COMPUTEPROF_CONFIG_DIR";
	const char *directory = getenv(variable);
	struct strbuf path = STRBUF_INIT;

	if (directory && *directory)
		return directory;
	directory = COMPUTEPROF_CONFIG_DIR;
	if (configs_beside_tool(&path) && !same_folder(strbuf_text(&path), directory) &&
	    !setenv(variable, strbuf_text(&path), 1))
		directory = getenv(variable);
	strbuf_free(&path);
	return directory;
}
