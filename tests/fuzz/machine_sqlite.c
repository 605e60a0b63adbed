/* SPDX-License-Identifier: MIT */
/* SQLite on the machine: its calls are in its own library, so it gets its own file system. */
#include "machine_sqlite.h"

#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "machine_files.h"

struct sqlite_file {
	sqlite3_file base;
	struct machine_file *file;
	bool temporary;
};

static struct machine_file *file_of(sqlite3_file *base)
{
	return ((struct sqlite_file *)(void *)base)->file;
}

static int close_file(sqlite3_file *base)
{
	if (((struct sqlite_file *)(void *)base)->temporary)
		file_of(base)->linked = false;
	return SQLITE_OK;
}

static int read_file(sqlite3_file *base, void *to, int size, sqlite3_int64 offset)
{
	const struct machine_file *file = file_of(base);
	sqlite3_int64 left = (sqlite3_int64)file->size - offset;
	int got = left <= 0 ? 0 : left < size ? (int)left : size;

	if (got)
		memcpy(to, file->bytes + offset, (size_t)got);
	memset((char *)to + got, 0, (size_t)(size - got));
	return got == size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int write_file(sqlite3_file *base, const void *bytes, int size, sqlite3_int64 offset)
{
	struct machine_file *file = file_of(base);
	size_t end = (size_t)offset + (size_t)size;

	if (offset < 0 || end > MACHINE_ROOM)
		return SQLITE_FULL;
	if (end > file->size)
		machine_resize(file, end);
	memcpy(file->bytes + offset, bytes, (size_t)size);
	return SQLITE_OK;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size)
{
	if (size < 0 || (size_t)size > file_of(base)->size)
		return SQLITE_IOERR_TRUNCATE;
	machine_resize(file_of(base), (size_t)size);
	return SQLITE_OK;
}

static int tell_size(sqlite3_file *base, sqlite3_int64 *size)
{
	*size = (sqlite3_int64)file_of(base)->size;
	return SQLITE_OK;
}

static int do_nothing(sqlite3_file *base, int how)
{
	(void)base;
	(void)how;
	return SQLITE_OK;
}

static int is_reserved(sqlite3_file *base, int *result)
{
	(void)base;
	*result = 0;
	return SQLITE_OK;
}

static int control(sqlite3_file *base, int operation, void *argument)
{
	(void)base;
	(void)operation;
	(void)argument;
	return SQLITE_NOTFOUND;
}

static int tell_none(sqlite3_file *base)
{
	(void)base;
	return 0;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = close_file,
	.xRead = read_file,
	.xWrite = write_file,
	.xTruncate = truncate_file,
	.xSync = do_nothing,
	.xFileSize = tell_size,
	.xLock = do_nothing,
	.xUnlock = do_nothing,
	.xCheckReservedLock = is_reserved,
	.xFileControl = control,
	.xSectorSize = tell_none,
	.xDeviceCharacteristics = tell_none,
};

/* Temporary files have no name. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *opened)
{
	struct sqlite_file *file = (void *)base;
	static unsigned int temporaries;
	char temporary[64];

	(void)vfs;
	CHECK(machine_is_on());
	*file = (struct sqlite_file){.temporary = !name};
	if (!name)
		snprintf(temporary, sizeof(temporary), "/temporary/%u", temporaries++);
	file->file = name ? machine_find(name) : NULL;
	if (!file->file && (!name || flags & SQLITE_OPEN_CREATE))
		file->file = machine_make(name ? name : temporary);
	if (!file->file)
		return SQLITE_CANTOPEN;
	/* Opening for reading must not make a file. */
	CHECK(!(flags & SQLITE_OPEN_READONLY) || file->file);
	base->pMethods = &methods;
	if (opened)
		*opened = flags;
	return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync)
{
	struct machine_file *file = machine_find(name);

	(void)vfs;
	(void)sync;
	if (!file)
		return SQLITE_IOERR_DELETE_NOENT;
	file->linked = false;
	return SQLITE_OK;
}

static int is_there(sqlite3_vfs *vfs, const char *name, int how, int *result)
{
	(void)vfs;
	(void)how;
	*result = machine_find(name) != NULL;
	return SQLITE_OK;
}

static int put_name(sqlite3_vfs *vfs, const char *name, int size, char *to)
{
	(void)vfs;
	return snprintf(to, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int randomness(sqlite3_vfs *vfs, int size, char *to)
{
	(void)vfs;
	memset(to, 1, (size_t)size);
	return size;
}

static int sleep_not(sqlite3_vfs *vfs, int time)
{
	(void)vfs;
	return time;
}

static int tell_time(sqlite3_vfs *vfs, sqlite3_int64 *time)
{
	(void)vfs;
	*time = 0;
	return SQLITE_OK;
}

void machine_sqlite_begin(void)
{
	static sqlite3_vfs vfs = {
		.iVersion = 2,
		.szOsFile = sizeof(struct sqlite_file),
		.mxPathname = MACHINE_PATH - 1,
		.zName = "machine",
		.xOpen = open_file,
		.xDelete = delete_file,
		.xAccess = is_there,
		.xFullPathname = put_name,
		.xRandomness = randomness,
		.xSleep = sleep_not,
		.xCurrentTimeInt64 = tell_time,
	};
	static bool begun;

	if (!begun)
		CHECK(sqlite3_vfs_register(&vfs, 1) == SQLITE_OK);
	begun = true;
}
