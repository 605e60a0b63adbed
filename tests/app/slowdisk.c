/* SPDX-License-Identifier: MIT */
/*
 * A file system that does not respond while there is a file STOP. It speaks the protocol of
 * /dev/fuse and shows the files of a folder, without its folders and without ring files.
 *
 *	slowdisk MOUNT_POINT FOLDER STOP
 *
 * It prints "mounted" when it is, and exits with 77 if it may not mount. It ends by itself after
 * ten minutes; then all waiting requests get an error. While it is stopped it has not read the
 * waiting requests, so a process that waits for one can be killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	SKIP = 77,
	LIFE = 600,
	PAUSE = 10 /* ms */,
	FILES = 64,
	NAME = 128,
	LARGEST = 128 * 1024,
	ROOT = 1
};

static const char *stop;
static int device, folder;
static char names[FILES][NAME]; /* node id - 2 */
static char request[LARGEST + 4096];
static char contents[LARGEST];

static const char *name_of(uint64_t node)
{
	return node == ROOT ? "." : names[node - 2];
}

static uint64_t node_of(const char *name)
{
	for (int i = 0; i < FILES; i++) {
		if (!*names[i])
			snprintf(names[i], NAME, "%s", name);
		if (!strcmp(names[i], name))
			return (uint64_t)i + 2;
	}
	return 0;
}

static void answer(const struct fuse_in_header *in, int error, const void *data, size_t size)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + (error ? 0 : size)),
		.error = -error,
		.unique = in->unique,
	};
	struct iovec parts[] = {
		{.iov_base = &out, .iov_len = sizeof(out)},
		{.iov_base = (void *)(uintptr_t)data, .iov_len = size},
	};

	if (writev(device, parts, error ? 1 : 2) < 0 && errno != ENOENT)
		perror("slowdisk: /dev/fuse");
}

/* errno */
static int look(uint64_t node, struct fuse_attr *attr)
{
	struct stat status;

	if (fstatat(folder, name_of(node), &status, AT_SYMLINK_NOFOLLOW))
		return errno;
	*attr = (struct fuse_attr){
		.ino = node,
		.size = (uint64_t)status.st_size,
		.mtime = (uint64_t)status.st_mtim.tv_sec,
		.mtimensec = (uint32_t)status.st_mtim.tv_nsec,
		.mode = status.st_mode,
		.nlink = node == ROOT ? 2 : (uint32_t)status.st_nlink,
		.uid = status.st_uid,
		.gid = status.st_gid,
		.blksize = 4096,
	};
	return 0;
}

static int enter(const char *name, struct fuse_entry_out *entry)
{
	*entry = (struct fuse_entry_out){.nodeid = node_of(name)};
	return entry->nodeid ? look(entry->nodeid, &entry->attr) : ENFILE;
}

static void do_lookup(const struct fuse_in_header *in, const void *argument)
{
	struct fuse_entry_out entry;

	answer(in, enter(argument, &entry), &entry, sizeof(entry));
}

static void do_getattr(const struct fuse_in_header *in, const void *argument)
{
	struct fuse_attr_out out = {0};

	(void)argument;
	answer(in, look(in->nodeid, &out.attr), &out, sizeof(out));
}

static void do_setattr(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_setattr_in *wish = argument;
	struct fuse_attr_out out = {0};

	if (wish->valid & FATTR_SIZE) {
		int fd = openat(folder, name_of(in->nodeid), O_WRONLY);

		if (fd < 0 || ftruncate(fd, (off_t)wish->size))
			perror("slowdisk: truncate");
		close(fd);
	}
	answer(in, look(in->nodeid, &out.attr), &out, sizeof(out));
}

static void do_create(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_create_in *wish = argument;
	const char *name = (const char *)(wish + 1), *end = strrchr(name, '.');
	struct {
		struct fuse_entry_out entry;
		struct fuse_open_out open;
	} out = {0};
	int fd;

	if (end && !strcmp(end, ".ring")) {
		answer(in, EPERM, NULL, 0);
		return;
	}
	fd = openat(folder, name, O_WRONLY | O_CREAT, 0644);
	close(fd);
	answer(in, fd < 0 ? EIO : enter(name, &out.entry), &out, sizeof(out));
}

static void do_open(const struct fuse_in_header *in, const void *argument)
{
	(void)argument;
	answer(in, 0, &(struct fuse_open_out){0}, sizeof(struct fuse_open_out));
}

static void do_read(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_read_in *wish = argument;
	int fd = openat(folder, name_of(in->nodeid), O_RDONLY);
	size_t size = wish->size < LARGEST ? wish->size : LARGEST;
	ssize_t got = pread(fd, contents, size, (off_t)wish->offset);

	close(fd);
	answer(in, got < 0 ? EIO : 0, contents, got < 0 ? 0 : (size_t)got);
}

static void do_write(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_write_in *wish = argument;
	int fd = openat(folder, name_of(in->nodeid), O_WRONLY);
	ssize_t put = pwrite(fd, wish + 1, wish->size, (off_t)wish->offset);
	struct fuse_write_out out = {.size = put < 0 ? 0 : (uint32_t)put};

	close(fd);
	answer(in, put < 0 ? EIO : 0, &out, sizeof(out));
}

static void do_unlink(const struct fuse_in_header *in, const void *argument)
{
	answer(in, unlinkat(folder, argument, 0) ? errno : 0, NULL, 0);
}

static void do_init(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_init_in *wish = argument;
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = wish->max_readahead,
		.max_background = 16,
		.congestion_threshold = 12,
		.max_write = LARGEST,
	};

	answer(in, 0, &out, sizeof(out));
}

static void do_nothing(const struct fuse_in_header *in, const void *argument)
{
	(void)argument;
	answer(in, 0, NULL, 0);
}

static void (*const functions[])(const struct fuse_in_header *, const void *) = {
	[FUSE_LOOKUP] = do_lookup,	[FUSE_GETATTR] = do_getattr, [FUSE_SETATTR] = do_setattr,
	[FUSE_CREATE] = do_create,	[FUSE_OPEN] = do_open,	     [FUSE_OPENDIR] = do_open,
	[FUSE_READ] = do_read,		[FUSE_WRITE] = do_write,     [FUSE_UNLINK] = do_unlink,
	[FUSE_RELEASE] = do_nothing,	[FUSE_INIT] = do_init,	     [FUSE_DESTROY] = do_nothing,
	[FUSE_RELEASEDIR] = do_nothing,
};

/* Returns false when the file system has ended. */
static bool serve(void)
{
	const struct fuse_in_header *in = (const void *)request;
	ssize_t got;

	if (!access(stop, F_OK)) {
		poll(NULL, 0, PAUSE);
		return true;
	}
	if (!poll(&(struct pollfd){.fd = device, .events = POLLIN}, 1, PAUSE))
		return true;
	got = read(device, request, sizeof(request));
	if (got < 0)
		return errno == EINTR || errno == EAGAIN || errno == ENOENT;
	if (in->opcode == FUSE_FORGET || in->opcode == FUSE_BATCH_FORGET)
		return true; /* without an answer */
	if (in->opcode < sizeof(functions) / sizeof(*functions) && functions[in->opcode])
		functions[in->opcode](in, in + 1);
	else
		answer(in, ENOSYS, NULL, 0);
	return true;
}

int main(int argc, char **argv)
{
	char options[128];

	if (argc != 4)
		return 2;
	alarm(LIFE);
	stop = argv[3];
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	folder = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=%d,group_id=%d,allow_other", device, (int)getuid(),
		 (int)getgid());
	if (device < 0 || folder < 0 ||
	    mount("slowdisk", argv[1], "fuse", MS_NOSUID | MS_NODEV, options))
		return SKIP;
	printf("mounted\n");
	fflush(stdout);
	while (serve())
		;
	return 0;
}
