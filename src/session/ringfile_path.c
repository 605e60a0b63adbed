/* SPDX-License-Identifier: MIT */
#include "session/ringfile_path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/ringfile.h"

bool ringfile_path_lacks_header(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct ringfile_header header = {0};
	struct stat status;
	bool unborn = false;
	int pid, fd;

	if (sscanf(slash ? slash + 1 : path, "computeprof-%d", &pid) != 1 || pid <= 0 ||
	    !kill(pid, 0) || errno != ESRCH)
		return false;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	    (!status.st_size || status.st_size == RINGFILE_PAGE) && !flock(fd, LOCK_EX | LOCK_NB) &&
	    pread(fd, &header, sizeof(header), 0) >= 0)
		unborn = !memcmp(header.magic, (char[sizeof(header.magic)]){0},
				 sizeof(header.magic));
	close(fd);
	return unborn;
}

int ringfile_path_remove(const char *path, int fd)
{
	struct stat here, open;

	if (!lstat(path, &here) && !fstat(fd, &open) && here.st_dev == open.st_dev &&
	    here.st_ino == open.st_ino && unlink(path) && errno != ENOENT)
		return errno;
	return 0;
}

bool ringfile_path_has_name(const char *name)
{
	static const char start[] = "computeprof-", end[] = ".ring";
	size_t length = strlen(name);

	return length >= strlen(start) + strlen(end) && !strncmp(name, start, strlen(start)) &&
	       !strcmp(name + length - strlen(end), end);
}

int ringfile_path_find(const char *directory, struct strbuf *paths)
{
	DIR *stream = opendir(directory);
	const struct dirent *entry;

	if (!stream)
		return -1;
	while ((entry = readdir(stream))) {
		if (!ringfile_path_has_name(entry->d_name))
			continue;
		strbuf_string(paths, directory);
		strbuf_char(paths, '/');
		strbuf_string(paths, entry->d_name);
		strbuf_char(paths, '\0');
	}
	closedir(stream);
	return 0;
}
