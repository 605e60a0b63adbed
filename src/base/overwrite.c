/* SPDX-License-Identifier: MIT */
#include "base/overwrite.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/sigmask.h"
#include "base/tsan.h"

/* Opens a separate descriptor: the file's own one is in append mode and ignores offsets. */
int overwrite_bytes(const struct file *file, const char *path, uint64_t at, const void *bytes,
		    size_t size)
{
	int fd = tsan_open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct file own = FILE_CLOSED;
	struct quiet quiet;
	ssize_t put = -1;

	if (fd < 0)
		return -1;
	if (file_adopt(&own, fd, path))
		return -1;
	if (file->inode && own.inode == file->inode && own.device == file->device &&
	    file_is_intact(&own)) {
		sigmask_begin(&quiet);
		put = pwrite(own.fd, bytes, size, (off_t)at);
		sigmask_end(&quiet, put < 0 ? errno : 0);
	}
	file_close(&own);
	return put == (ssize_t)size ? 0 : -1;
}
