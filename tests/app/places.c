/* SPDX-License-Identifier: MIT */
/*
 * places MODE COMMANDS
 * Makes COMMANDS copies (two halves, with something between them), prints their number, and:
 *
 *   files     closes all descriptors from 3 to 1023 and opens 250 files instead, and checks at the
 *             end that no other code has written to them
 *   full      uses every descriptor from before the first copy until it has waited at the half
 *   fuller    uses every descriptor from the half on, when there is a log
 *   fullest   uses every descriptor from before the first copy to the end
 *   chroot    has its root directory in the folder "elsewhere" from the half on
 *   setuid    is the user 65534 from the half on
 *   at_once   as chroot, without the wait: its log may not be open yet
 *   chdir     makes the folder "elsewhere" and changes to it before the first call
 *   move      makes it and changes to it at the half
 *   meet      waits at the half until two processes that share the file "met" are there
 */
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opencl.h"

enum { FILES = 250, DESCRIPTORS = 1024, NOBODY = 65534, WAIT = 300000 };

static int files[DESCRIPTORS];

static void check(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(EXIT_FAILURE);
}

static void open_files(void)
{
	for (int fd = 3; fd < DESCRIPTORS; fd++)
		close(fd);
	for (int i = 0; i < FILES; i++) {
		char name[32];

		snprintf(name, sizeof(name), "file.%d", i);
		files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	}
}

static int count_spoilt(void)
{
	int spoilt = 0;

	for (int i = 0; i < FILES; i++) {
		struct stat status;

		spoilt += fstat(files[i], &status) || status.st_size;
	}
	return spoilt;
}

/* Low limits, so that the table is soon full, including numbers of 200 and above. */
static void fill_table(bool fill)
{
	struct rlimit limit = {DESCRIPTORS, DESCRIPTORS};
	int count = 0;

	if (fill)
		check(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
	while (fill && count < DESCRIPTORS && (files[count] = dup(0)) >= 0)
		count++;
	for (int i = 0; !fill && i < DESCRIPTORS; i++)
		if (files[i] > 0)
			close(files[i]);
	if (fill)
		printf("%s\n", open("/dev/null", O_RDONLY) < 0 ? "all in use" : "not full");
}

static void go(bool root)
{
	check(!mkdir("elsewhere", 0755), "mkdir");
	check(!chdir("elsewhere"), "chdir");
	check(!root || !chroot("."), "chroot");
}

static void become_nobody(void)
{
	check(!setgroups(0, NULL) && !setgid(NOBODY) && !setuid(NOBODY), "setuid");
}

static void meet(void)
{
	int fd = open("met", O_WRONLY | O_CREAT | O_APPEND, 0644);

	check(fd >= 0 && write(fd, "", 1) == 1, "met");
	while (lseek(fd, 0, SEEK_END) < 2)
		usleep(1000);
	close(fd);
}

/* The profiler's log, if there is one; on a busy machine that takes time. */
static void wait_for_log(void)
{
	for (int i = 0; i < 1000 && getenv("COMPUTE_PROFILE"); i++) {
		if (!access("compute_profile.log", F_OK))
			return;
		usleep(10000);
	}
}

static void between(const char *mode)
{
	if (!strcmp(mode, "full"))
		usleep(WAIT);
	if (!strcmp(mode, "fuller") || !strcmp(mode, "chroot") || !strcmp(mode, "setuid"))
		wait_for_log();
	if (!strcmp(mode, "files"))
		open_files();
	if (!strcmp(mode, "full"))
		fill_table(false);
	if (!strcmp(mode, "fuller"))
		fill_table(true);
	if (!strcmp(mode, "chroot") || !strcmp(mode, "at_once"))
		go(true);
	if (!strcmp(mode, "move"))
		go(false);
	if (!strcmp(mode, "setuid"))
		become_nobody();
	if (!strcmp(mode, "meet"))
		meet();
}

int main(int argc, char **argv)
{
	const char *mode = argc == 3 ? argv[1] : "";
	long commands = argc == 3 ? atol(argv[2]) : 2;
	struct opencl opencl;
	cl_command_queue queue;
	cl_mem buffer;

	if (!strcmp(mode, "chdir"))
		go(false);
	/* No program is built: the restrictions on users and directories could affect the
	 * compiler. */
	opencl_find(&opencl);
	opencl.context = opencl_context(opencl.devices, 1);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, 16);
	if (!strncmp(mode, "full", 4) && strcmp(mode, "fuller"))
		fill_table(true);
	for (long i = 0; i < commands; i++) {
		if (i == commands / 2)
			between(mode);
		opencl_write(queue, buffer, 16);
	}
	opencl_check(clFinish(queue), "clFinish");
	printf("%ld copies\n", commands);
	if (!strcmp(mode, "files"))
		printf("%d files spoilt\n", count_spoilt());
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	clReleaseContext(opencl.context);
	return EXIT_SUCCESS;
}
