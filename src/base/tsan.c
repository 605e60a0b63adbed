/* SPDX-License-Identifier: MIT */
#include "base/tsan.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

void (*tsan_release_function)(void *address);
void (*tsan_acquire_function)(void *address);

/* For reads, then writes: annotations of gcc's and clang's runtimes. All or none are NULL. Their
 * arguments are a file name and a line, reported if an end is missing. */
static void (*ignore_begin[2])(const char *file, int line);
static void (*ignore_end[2])(const char *file, int line);

static void look_for_ignoring(void)
{
	void *reads_begin = dlsym(RTLD_DEFAULT, "AnnotateIgnoreReadsBegin");
	void *reads_end = dlsym(RTLD_DEFAULT, "AnnotateIgnoreReadsEnd");
	void *writes_begin = dlsym(RTLD_DEFAULT, "AnnotateIgnoreWritesBegin");
	void *writes_end = dlsym(RTLD_DEFAULT, "AnnotateIgnoreWritesEnd");

	if (!reads_begin || !reads_end || !writes_begin || !writes_end)
		return;
	*(void **)&ignore_end[0] = reads_end;
	*(void **)&ignore_end[1] = writes_end;
	*(void **)&ignore_begin[1] = writes_begin;
	*(void **)&ignore_begin[0] = reads_begin;
}

void tsan_look(void)
{
	void *release = dlsym(RTLD_DEFAULT, "__tsan_release");
	void *acquire = dlsym(RTLD_DEFAULT, "__tsan_acquire");

	if (!release || !acquire)
		return;
	look_for_ignoring();
	*(void **)&tsan_acquire_function = acquire;
	*(void **)&tsan_release_function = release;
}

bool tsan_ignore_begin(void)
{
	if (!ignore_begin[0])
		return false;
	ignore_begin[0](__FILE__, __LINE__);
	ignore_begin[1](__FILE__, __LINE__);
	return true;
}

void tsan_ignore_end(void)
{
	ignore_end[1](__FILE__, __LINE__);
	ignore_end[0](__FILE__, __LINE__);
}

int tsan_open(const char *path, int flags)
{
	if (tsan_is_here())
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, 0666);
	return open(path, flags, 0666);
}

void tsan_close(int fd)
{
	if (tsan_is_here())
		syscall(SYS_close, fd);
	else
		close(fd);
}
