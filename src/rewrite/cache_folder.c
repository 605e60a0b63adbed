/* SPDX-License-Identifier: MIT */
#include "rewrite/cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/env.h"
#include "base/trust.h"

static bool refuse(struct cache_folder *folder, const char *reason)
{
	folder->reason.length = 0;
	strbuf_string(&folder->reason, reason);
	return false;
}

/* XDG's rule: paths that are not absolute are ignored. */
static const char *absolute(const char *variable)
{
	const char *value = env_get(variable);

	return value && *value == '/' ? value : NULL;
}

static bool find_path(struct cache_folder *folder)
{
	const char *given = env_get("COMPUTEPROF_CACHE");
	const char *base = absolute("XDG_CACHE_HOME"), *home = absolute("HOME");

	if (given && !strcmp(given, "off"))
		return refuse(folder, "COMPUTEPROF_CACHE is off");
	if (given && *given && *given != '/')
		return refuse(folder, "COMPUTEPROF_CACHE is neither off nor an absolute path");
	if (given && *given)
		strbuf_string(&folder->path, given);
	else if (base)
		strbuf_printf(&folder->path, "%s/computeprof", base);
	else if (home)
		strbuf_printf(&folder->path, "%s/.cache/computeprof", home);
	else
		return refuse(folder, "neither XDG_CACHE_HOME nor HOME is an absolute path");
	if (folder->path.failed || folder->path.length >= PATH_MAX)
		return refuse(folder, "its path is too long");
	return true;
}

/* Returns false for a path directly below the root. */
static bool parent_of(char *parent, const char *path)
{
	const char *slash = strrchr(path, '/');

	snprintf(parent, PATH_MAX, "%.*s", (int)(slash - path), path);
	return slash != path;
}

/* Folders are not made in those of other users: root would make them in a user's home. */
static bool may_make_in(const char *parent)
{
	struct stat status;

	if (stat(parent, &status))
		return false;
	errno = EACCES;
	return status.st_uid == geteuid() || (status.st_mode & S_ISVTX);
}

/* With `make` false, only says whether it could be made. Returns false with errno. */
static bool make_folder(const char *path, int parents, bool make)
{
	char parent[PATH_MAX];
	bool has_parent = parent_of(parent, path);

	if (has_parent && parents && access(parent, F_OK)) {
		if (errno != ENOENT || !make_folder(parent, parents - 1, make))
			return false;
		if (!make)
			return true;
	}
	if (!may_make_in(has_parent ? parent : "/"))
		return false;
	if (!make)
		return !faccessat(AT_FDCWD, has_parent ? parent : "/", W_OK, AT_EACCESS);
	return !mkdir(path, S_IRWXU) || errno == EEXIST;
}

static bool check(struct cache_folder *folder)
{
	struct strbuf inside = STRBUF_INIT;
	struct stat status;
	bool trusted;

	if (fstat(folder->file, &status))
		return refuse(folder, "it cannot be examined");
	if (status.st_uid != geteuid())
		return refuse(folder, "it belongs to another user");
	if (status.st_mode & (S_IWGRP | S_IWOTH))
		return refuse(folder, "other users can write to it");
	strbuf_printf(&inside, "%s/", strbuf_text(&folder->path));
	trusted = !inside.failed && trust_path(strbuf_text(&inside));
	strbuf_free(&inside);
	return trusted || refuse(folder, "other users can replace it");
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
}

bool cache_folder_open(struct cache_folder *folder, bool make)
{
	const char *path;

	*folder = (struct cache_folder){.file = -1};
	if (!find_path(folder))
		return false;
	path = strbuf_text(&folder->path);
	folder->file = open_folder(path);
	if (folder->file < 0 && errno == ENOENT) {
		folder->is_missing = make_folder(path, 1, make);
		if (folder->is_missing && make)
			folder->file = open_folder(path);
	}
	if (folder->file < 0)
		strbuf_printf(&folder->reason, "%m");
	if (folder->file >= 0 && !check(folder)) {
		close(folder->file);
		folder->file = -1;
	}
	return folder->file >= 0;
}

bool cache_folder_is_writable(struct cache_folder *folder)
{
	struct statvfs volume;

	if (folder->file < 0)
		return folder->is_missing;
	if (faccessat(folder->file, ".", W_OK, AT_EACCESS)) {
		folder->reason.length = 0;
		strbuf_printf(&folder->reason, "%m");
		return false;
	}
	if (!fstatvfs(folder->file, &volume) && !volume.f_bavail)
		return refuse(folder, "no space is left there");
	return true;
}

void cache_folder_close(struct cache_folder *folder)
{
	if (folder->file >= 0)
		close(folder->file);
	strbuf_free(&folder->path);
	strbuf_free(&folder->reason);
}
