/* SPDX-License-Identifier: MIT */
#include "entry/exec_check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* Returns false for errors of a sandbox that forbids the check. */
static bool is_answer(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP ||
	       error == ENAMETOOLONG || error == EFAULT || error == EBADF;
}

bool exec_check_fails(int folder, const char *path, int flags)
{
	struct stat status;

	if (fstatat(folder, path, &status, flags))
		return is_answer(errno);
	return !S_ISREG(status.st_mode) || !(status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH));
}
