/* SPDX-License-Identifier: MIT */
#include "base/filesocket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/tsan.h"

/* Returns 0, or an errno. */
static int prepare(struct sockaddr_un *address, const char *path)
{
	struct stat status;

	if (strlen(path) >= sizeof(address->sun_path))
		return ENAMETOOLONG;
	strcpy(address->sun_path, path);
	if (lstat(path, &status))
		return errno;
	if (S_ISLNK(status.st_mode))
		return ELOOP;
	return file_is_planted(path, &status) ? EEXIST : 0;
}

static int try_type(struct file *file, const struct sockaddr_un *address, int type)
{
	int fd = socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int error;

	if (fd < 0)
		return -1;
	if (!connect(fd, (const struct sockaddr *)(const void *)address, sizeof(*address)))
		return file_adopt(file, fd, NULL);
	error = errno;
	tsan_close(fd);
	errno = error;
	return -1;
}

int filesocket_open(struct file *file, const char *path, enum filesocket *kind)
{
	static const int types[] = {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int error = prepare(&address, path);

	*file = FILE_CLOSED;
	if (error) {
		errno = error;
		return -1;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		*kind = types[i] == SOCK_STREAM ? FILESOCKET_STREAM : FILESOCKET_PACKETS;
		if (!try_type(file, &address, types[i]))
			return 0;
		if (errno != EPROTOTYPE)
			return -1;
	}
	return -1;
}
