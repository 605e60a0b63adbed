/* SPDX-License-Identifier: MIT */
#include "session/identity.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"

/* Fields of /proc/PID/stat. The program's name is in parentheses and may have any bytes. */
enum { STAT_NAME = 2, STAT_THREADS = 20, STAT_START = 22, STAT_CODE = 52 };

/* Returns field `number`, which is greater than 3; 0 if there is none. */
static uint64_t field(const char *after_name, int number)
{
	for (int at = STAT_NAME; after_name && at < number; at++)
		after_name = strchr(after_name + 1, ' ');
	return after_name ? number_read(after_name + 1, NULL) : 0;
}

enum { STAT_TEXT = 1024 };

/* Opens the file stat of `process`, a directory of /proc. Not by its whole path: QEMU's user
 * emulation answers for /proc/self/stat itself, with another start time than other processes see.
 */
static int open_stat(const char *process)
{
	int folder = open(process, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (folder < 0)
		return -1;
	fd = openat(folder, "stat", O_RDONLY | O_CLOEXEC);
	close(folder);
	return fd;
}

/* Reads the file to `text`. Returns the text from the end of the name on, or NULL. */
static const char *read_stat(const char *process, char text[STAT_TEXT])
{
	int fd = open_stat(process);
	ssize_t length;

	if (fd < 0)
		return NULL;
	length = read(fd, text, STAT_TEXT - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	return strrchr(text, ')');
}

uint64_t identity_process_start(uint32_t pid)
{
	char path[32], text[STAT_TEXT];
	const char *at;

	/* /proc may be that of another pid namespace, in which this number belongs to another
	 * process. */
	if (pid == (uint32_t)getpid())
		strcpy(path, "/proc/self");
	else
		snprintf(path, sizeof(path), "/proc/%u", pid);
	at = read_stat(path, text);
	if (!at || !strncmp(at, ") X", 3))
		return 0;
	/* This is the state of the main thread. It may end before the others. */
	if (!strncmp(at, ") Z", 3) && field(at, STAT_THREADS) <= 1)
		return 0;
	return field(at, STAT_START);
}

uint64_t identity_user_namespace(void)
{
	struct stat status;

	return stat("/proc/self/ns/user", &status) ? 0 : status.st_ino;
}

void identity_mark_clock(uint8_t boot[BOOT_ID])
{
	static const char name[] = "monotonic";
	static const uint8_t unknown[BOOT_ID];
	char text[128] = "";
	int fd = open("/proc/self/timens_offsets", O_RDONLY | O_CLOEXEC);
	size_t length;
	uint64_t mark;

	if (fd < 0)
		return;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	length = strcspn(text, "\n");
	if (!memcmp(boot, unknown, BOOT_ID) || strncmp(text, name, strlen(name)) != 0 ||
	    strspn(text + strlen(name), " 0") == length - strlen(name))
		return;
	mark = text_hash(text, length);
	for (int i = 0; i < 8; i++)
		boot[i] ^= (uint8_t)(mark >> 8 * i);
}

uint64_t identity_pid_namespace(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) ? 0 : status.st_ino;
}

/* Returns the exit code from the field, which has the format of wait(2)'s status. */
int identity_main_code(void)
{
	char text[STAT_TEXT];

	return (int)(field(read_stat("/proc/self", text), STAT_CODE) >> 8 & 0xff);
}

static size_t read_command(const char *path, char *to, size_t room, bool *more)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t got = 1;
	char next[2];

	if (fd < 0)
		return 0;
	while (length < room && (got = read(fd, to + length, room - length)) > 0)
		length += (size_t)got;
	if (length == room) {
		got = read(fd, next, sizeof(next));
		*more = got == 2 || (got == 1 && next[0]);
	}
	close(fd);
	return length;
}

size_t identity_command(char *to, size_t room)
{
	static const char cut[] = "\0...";
	size_t size = sizeof(cut) - 1, length;
	bool more = false;

	length = read_command("/proc/self/cmdline", to, room, &more);
	if (!length) /* the main thread has ended */
		length = read_command("/proc/thread-self/cmdline", to, room, &more);
	if (more)
		memcpy(to + room - size, cut, size);
	while (length && !to[length - 1])
		length--;
	return length;
}

/* By syscall: glibc has the function since 2.28 only. */
uint64_t identity_file_created(int fd)
{
#if defined(SYS_statx) && defined(STATX_BTIME)
	struct statx status = {0};

	if (!syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BTIME, &status) &&
	    (status.stx_mask & STATX_BTIME))
		return (uint64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
#endif
	(void)fd;
	return 0;
}
