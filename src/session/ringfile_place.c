/* SPDX-License-Identifier: MIT */
#include "session/ringfile_place.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/env.h"
#include "session/manifest.h"
#include "session/ringfile_path.h"

enum { IDENTITY = 64 };

/* Writes MANIFEST_DIRECTORY_FORMAT of `path` to `to`; "" if there is no such file. */
static void identify(char to[IDENTITY], const char *path)
{
	struct stat status;

	to[0] = '\0';
	if (!stat(path, &status))
		snprintf(to, IDENTITY, MANIFEST_DIRECTORY_FORMAT,
			 (unsigned long long)status.st_dev, (unsigned long long)status.st_ino);
}

/* Returns the text of `variable`, or NULL without a tool. */
static const char *of_tool(const char *variable)
{
	return env_kept(MANIFEST_VARIABLE) ? env_kept(variable) : NULL;
}

/* Returns the path in the tool's variable if it has this identity, or NULL. */
static const char *path_of(const char *identity)
{
	const char *rings = of_tool(MANIFEST_RINGS);
	size_t length = strlen(identity);

	return rings && length && !strncmp(rings, identity, length) && rings[length] == ':'
		       ? rings + length + 1
		       : NULL;
}

bool ringfile_place_has_tools_memory(void)
{
	const char *memory = of_tool(MANIFEST_MEMORY);
	char here[IDENTITY];

	if (!memory)
		return true;
	identify(here, RINGFILE_SHARED_MEMORY);
	return !*here || !strcmp(here, memory);
}

const char *ringfile_place_of_tool(void)
{
	const char *rings = of_tool(MANIFEST_RINGS), *path;
	char here[IDENTITY];

	path = rings ? strchr(rings, '/') : NULL;
	if (!path)
		return NULL;
	identify(here, path);
	return path_of(here);
}

bool ringfile_place_is_seen(const char *directory)
{
	const char *memory = of_tool(MANIFEST_MEMORY);
	char here[IDENTITY];

	if (!memory && !of_tool(MANIFEST_RINGS))
		return true;
	identify(here, directory);
	return (memory && !strcmp(here, memory)) || path_of(here);
}
