/* SPDX-License-Identifier: MIT */
/* The file functions for the code under test. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "machine_files.h"

#define WRAP(type, name, ...)                                                                      \
	type __real_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

static int fail(int error)
{
	errno = error;
	return -1;
}

/* Returns NULL for a descriptor of the real machine. */
static struct machine_open *get(int fd)
{
	int index = fd - MACHINE_LOWEST;

	if (!machine_is_on())
		return NULL;
	CHECK(index >= 0 && index < MACHINE_OPENS && machine_opens[index].file);
	return &machine_opens[index];
}

static int open_file(struct machine_file *file, int flags, size_t offset)
{
	for (int i = 0; i < MACHINE_OPENS; i++) {
		if (machine_opens[i].file)
			continue;
		machine_opens[i] = (struct machine_open){file, offset, flags};
		machine_open_count++;
		return MACHINE_LOWEST + i;
	}
	return fail(EMFILE);
}

/* All folders exist except /proc and /sys. */
static int why_not(const char *path)
{
	size_t length = strlen(path);

	if (length >= MACHINE_PATH)
		return ENAMETOOLONG;
	if (!length || !strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5))
		return ENOENT;
	return path[length - 1] == '/' ? EISDIR : 0;
}

/* The kernel's boot id: a file that is not listed. */
static struct machine_file *boot_file(void)
{
	static char text[] = "30313233-3435-3637-3839-616263646566\n";
	static struct machine_file file = {.bytes = text, .size = sizeof(text) - 1};

	return &file;
}

WRAP(int, open, const char *path, int flags, ...)
{
	struct machine_file *file;
	int error = why_not(path);

	if (!machine_is_on()) {
		va_list arguments;
		int mode;

		va_start(arguments, flags);
		mode = va_arg(arguments, int);
		va_end(arguments);
		return __real_open(path, flags, mode);
	}
	/* Files must not block, follow a link for writing, or be inherited by a program. */
	CHECK(flags & O_CLOEXEC);
	CHECK((flags & O_ACCMODE) == O_RDONLY || flags & O_NOFOLLOW);
	if (!strcmp(path, "/proc/sys/kernel/random/boot_id"))
		return open_file(boot_file(), flags, 0);
	if (error)
		return fail(error);
	file = machine_find(path);
	if (file && flags & O_CREAT && flags & O_EXCL)
		return fail(EEXIST);
	if (!file && !(flags & O_CREAT))
		return fail(ENOENT);
	if (!file)
		file = machine_make(path);
	return file ? open_file(file, flags, 0) : fail(ENOSPC);
}

WRAP(int, close, int fd)
{
	struct machine_open *open = get(fd);

	if (!open)
		return __real_close(fd);
	if (open->file->owner == open)
		open->file->owner = NULL;
	open->file = NULL;
	machine_open_count--;
	return 0;
}

static size_t copy_out(const struct machine_file *file, void *to, size_t size, size_t offset)
{
	size_t left = offset < file->size ? file->size - offset : 0;

	size = size < left ? size : left;
	memcpy(to, file->bytes + offset, size);
	return size;
}

WRAP(ssize_t, read, int fd, void *to, size_t size)
{
	struct machine_open *open = get(fd);

	if (!open)
		return __real_read(fd, to, size);
	size = copy_out(open->file, to, size, open->offset);
	open->offset += size;
	return (ssize_t)size;
}

WRAP(ssize_t, pread, int fd, void *to, size_t size, off_t offset)
{
	struct machine_open *open = get(fd);

	if (!open)
		return __real_pread(fd, to, size, offset);
	return offset < 0 ? fail(EINVAL) : (ssize_t)copy_out(open->file, to, size, (size_t)offset);
}

/* Checks a message: one line without terminal control characters. */
static void check_message(const char *text, size_t size)
{
	CHECK(size > strlen("computeprof: ") && size <= 1024 && text[size - 1] == '\n');
	CHECK(!memcmp(text, "computeprof: ", strlen("computeprof: ")));
	for (size_t i = 0; i + 1 < size; i++)
		CHECK((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
}

WRAP(ssize_t, write, int fd, const void *bytes, size_t size)
{
	struct machine_open *open;
	size_t offset, room;

	if (machine_is_on() && fd == STDERR_FILENO) {
		check_message(bytes, size);
		return (ssize_t)size;
	}
	open = get(fd);
	if (!open)
		return __real_write(fd, bytes, size);
	CHECK(open->flags & (O_WRONLY | O_RDWR));
	offset = open->flags & O_APPEND ? open->file->size : open->offset;
	room = offset < machine_room ? machine_room - offset : 0;
	if (!room && size)
		return fail(ENOSPC);
	size = size < room ? size : room;
	if (offset + size > open->file->size)
		machine_resize(open->file, offset + size);
	memcpy(open->file->bytes + offset, bytes, size);
	open->offset = offset + size;
	return (ssize_t)size;
}

static int tell(const struct machine_file *file, struct stat *status)
{
	if (!file)
		return fail(ENOENT);
	*status = (struct stat){
		.st_dev = MACHINE_DEVICE,
		.st_ino = (ino_t)(file - machine_files + 1),
		.st_mode = S_IFREG | 0600,
		.st_nlink = file->linked,
		.st_uid = MACHINE_USER,
		.st_size = (off_t)file->size,
	};
	return 0;
}

WRAP(int, fstat, int fd, struct stat *status)
{
	/* Messages say which file stderr is. */
	struct machine_open *open = fd == STDERR_FILENO ? NULL : get(fd);

	return open ? tell(open->file, status) : __real_fstat(fd, status);
}

WRAP(int, stat, const char *path, struct stat *status)
{
	return machine_is_on() ? tell(machine_find(path), status) : __real_stat(path, status);
}

WRAP(int, lstat, const char *path, struct stat *status)
{
	return machine_is_on() ? tell(machine_find(path), status) : __real_lstat(path, status);
}

WRAP(int, ftruncate, int fd, off_t size)
{
	struct machine_open *open = get(fd);

	if (!open)
		return __real_ftruncate(fd, size);
	if (size < 0)
		return fail(EINVAL);
	if ((size_t)size > open->file->size && (size_t)size > machine_room)
		return fail(ENOSPC);
	machine_resize(open->file, (size_t)size);
	return 0;
}

WRAP(int, posix_fallocate, int fd, off_t from, off_t size)
{
	struct machine_open *open = get(fd);

	if (!open)
		return __real_posix_fallocate(fd, from, size);
	if (from < 0 || size <= 0)
		return EINVAL;
	if ((size_t)from > machine_room || (size_t)size > machine_room - (size_t)from)
		return ENOSPC;
	if ((size_t)(from + size) > open->file->size)
		machine_resize(open->file, (size_t)(from + size));
	return 0;
}

WRAP(int, flock, int fd, int operation)
{
	struct machine_open *open = get(fd);

	if (!open)
		return __real_flock(fd, operation);
	if (operation == LOCK_UN) {
		if (open->file->owner == open)
			open->file->owner = NULL;
		return 0;
	}
	CHECK(operation & LOCK_NB);
	if (open->file->owner && open->file->owner != open)
		return fail(EWOULDBLOCK);
	open->file->owner = open;
	return 0;
}

WRAP(int, fcntl, int fd, int command, ...)
{
	struct machine_open *open = get(fd);
	va_list arguments;
	long argument;
	int copy;

	va_start(arguments, command);
	argument = va_arg(arguments, long);
	va_end(arguments);
	if (!open)
		return __real_fcntl(fd, command, argument);
	if (command == F_GETFL)
		return open->flags;
	CHECK(command == F_DUPFD_CLOEXEC);
	copy = open_file(open->file, open->flags, open->offset);
	if (copy >= 0 && open->file->owner == open)
		open->file->owner = &machine_opens[copy - MACHINE_LOWEST];
	return copy;
}

WRAP(int, unlink, const char *path)
{
	struct machine_file *file;

	if (!machine_is_on())
		return __real_unlink(path);
	file = machine_find(path);
	if (!file)
		return fail(ENOENT);
	file->linked = machine_keeps;
	return 0;
}

char *machine_map(int fd, size_t size, size_t offset)
{
	struct machine_open *open = get(fd);

	CHECK(open);
	if (offset > open->file->size || size > open->file->size - offset) {
		errno = EINVAL;
		return NULL;
	}
	return open->file->bytes + offset;
}
