/* SPDX-License-Identifier: MIT */
#include "view/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An entry of a folder as getdents64 has it: readdir may allocate, which a signal handler must
 * not. */
struct entry {
	uint64_t inode;
	int64_t next;
	uint16_t size; /* of the entry */
	uint8_t type;
	char name[];
};

enum { ENTRIES = 4096 /* bytes of entries that are read together */ };

static int open_folder(int above, const char *name)
{
	return openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Calls `visit` for each entry until it returns false. Returns false then, or if the folder cannot
 * be read. */
static bool each(int folder, bool (*visit)(int folder, const char *name, void *context),
		 void *context)
{
	_Alignas(struct entry) char entries[ENTRIES];
	const struct entry *entry;
	long size;

	while ((size = syscall(SYS_getdents64, folder, entries, sizeof(entries))) > 0)
		for (long at = 0; at < size; at += entry->size) {
			entry = (const void *)(entries + at);
			if (!is_dots(entry->name) && !visit(folder, entry->name, context))
				return false;
		}
	return !size;
}

/* NUMBER.evt or NUMBER.def. */
static bool is_of_location(const char *name)
{
	size_t digits = strspn(name, "0123456789");

	return digits && (!strcmp(name + digits, ".evt") || !strcmp(name + digits, ".def"));
}

static bool refuse(int folder, const char *name, void *context)
{
	(void)folder;
	(void)name;
	(void)context;
	return false;
}

static bool check_inner(int folder, const char *name, void *context)
{
	(void)folder;
	(void)context;
	return is_of_location(name);
}

static bool check(int folder, const char *name, void *context)
{
	bool *has_anchor = context, is_archive;
	int inner;

	if (!strcmp(name, FOLDER_ANCHOR))
		*has_anchor = true;
	if (!strcmp(name, FOLDER_ANCHOR) || !strcmp(name, FOLDER_NAME ".def"))
		return true;
	if (strcmp(name, FOLDER_NAME) != 0)
		return false;
	inner = open_folder(folder, name);
	is_archive = inner >= 0 && each(inner, check_inner, NULL);
	if (inner >= 0)
		close(inner);
	return is_archive;
}

bool folder_is_empty(const char *path)
{
	int folder = open_folder(AT_FDCWD, path);
	bool is_empty = folder >= 0 && each(folder, refuse, NULL);

	if (folder >= 0)
		close(folder);
	return is_empty;
}

bool folder_is_archive(const char *path)
{
	bool has_anchor = false;
	int folder = open_folder(AT_FDCWD, path);
	bool is_archive = folder >= 0 && each(folder, check, &has_anchor) && has_anchor;

	if (folder >= 0)
		close(folder);
	return is_archive;
}

static bool remove_inner(int folder, const char *name, void *removed)
{
	if (is_of_location(name) && !unlinkat(folder, name, 0))
		*(bool *)removed = true;
	return true;
}

/* A file system may leave out entries while others are removed. */
static void empty_inner(int folder)
{
	bool removed;

	do {
		removed = false;
		lseek(folder, 0, SEEK_SET);
		each(folder, remove_inner, &removed);
	} while (removed);
}

void folder_remove(const char *path)
{
	int folder = open_folder(AT_FDCWD, path), inner;

	if (folder < 0)
		return;
	inner = open_folder(folder, FOLDER_NAME);
	if (inner >= 0) {
		empty_inner(inner);
		close(inner);
	}
	unlinkat(folder, FOLDER_NAME, AT_REMOVEDIR);
	unlinkat(folder, FOLDER_NAME ".def", 0);
	unlinkat(folder, FOLDER_ANCHOR, 0);
	close(folder);
	rmdir(path);
}
