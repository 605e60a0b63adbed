/* SPDX-License-Identifier: MIT */
#include "session/ringfile_storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/filethread.h"
#include "base/memory.h"
#include "session/identity.h"
#include "session/ringfile_path.h"
#include "session/ringfile_place.h"

enum { TMPFS = 0x01021994 }; /* linux/magic.h */

/* File systems whose pages other hosts may hold, or that are slow to map (linux/magic.h and the
 * file systems' own sources). */
static const uint32_t network_file_systems[] = {
	0x6969,     /* NFS */
	0x517b,     /* SMB */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB2 */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS */
	0x5346414f, /* AFS */
	0x00c36400, /* Ceph */
	0x01021997, /* 9P */
	0x65735546, /* FUSE */
	0x19830326, /* BeeGFS */
	0x7461636f, /* OCFS2 */
	0x01161970, /* GFS2 */
};

static bool is_network(const char *directory)
{
	struct statfs status;

	if (statfs(directory, &status))
		return false;
	for (size_t i = 0; i < sizeof(network_file_systems) / sizeof(*network_file_systems); i++)
		if ((uint32_t)status.f_type == network_file_systems[i])
			return true;
	return false;
}

/* Returns true if the ring file belongs to the program before an exec. Not inlined: the header has
 * 1 KiB, and the first row may be of a thread with a small stack. */
static __attribute__((noinline)) bool is_predecessors(const char *path)
{
	struct ringfile_header header = {0};
	uint32_t pid = (uint32_t)getpid();
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) || status.st_uid != geteuid() ||
	    read(fd, &header, sizeof(header)) != sizeof(header))
		header.pid = 0;
	close(fd);
	return header.pid == pid && header.process_start &&
	       header.process_start == identity_process_start(pid);
}

/* Allocates `size` bytes of the file from `at` on and maps them; or NULL. The descriptor is checked
 * before and after, since the program may close or reuse it at any moment. */
static void *map_more(const struct file *file, uint64_t at, uint64_t size)
{
	void *memory;

	if (!file_is_intact(file) || file_allocate(file->fd, at, size))
		return NULL;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, (off_t)at);
	if (memory == MAP_FAILED)
		return NULL;
	if (file_is_intact(file))
		return memory;
	munmap(memory, size);
	return NULL;
}

int ringfile_name(char *to, size_t size, const char *directory, int tries)
{
	int length = snprintf(
		to, size, tries ? "%s/computeprof-%u-%d.ring" : "%s/computeprof-%u.ring", directory,
		(unsigned)getpid(), tries);

	return length < 0 || (size_t)length >= size ? -1 : 0;
}

/* Creates the file in `directory` and returns its descriptor, or -1. */
static int create_file(struct ringfile *ringfile, const char *directory)
{
	int fd = -1;

	for (int try = 0; fd < 0 && try < 100; try++) {
		if (ringfile_name(ringfile->path, sizeof(ringfile->path), directory, try))
			return -1;
		fd = open(ringfile->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
		if (fd < 0 && is_predecessors(ringfile->path))
			ringfile->followed = true;
	}
	return fd;
}

static bool is_same(const struct file *one, const struct file *other)
{
	return one->device == other->device && one->inode == other->inode;
}

/* Maps the page that holds the lock, or returns NULL. The descriptor is checked as in map_more. */
static void *map_lock(const struct file *file)
{
	void *memory;

	if (flock(file->fd, LOCK_EX | LOCK_NB))
		return NULL;
	memory = mmap(NULL, RINGFILE_PAGE, PROT_READ, MAP_SHARED, file->fd, 0);
	if (memory == MAP_FAILED)
		return NULL;
	if (file_is_intact(file) && !madvise(memory, RINGFILE_PAGE, MADV_DONTFORK))
		return memory;
	munmap(memory, RINGFILE_PAGE);
	return NULL;
}

/*
 * The lock shall end with this process's memory. A lock belongs to an open file description, which
 * lives as long as a descriptor or a mapping of it, and children inherit those of the rings. So the
 * lock has its own description with one mapping, which children do not inherit. If that fails, the
 * description of the rings is locked.
 */
static void lock(struct ringfile *ringfile)
{
	int fd = open(ringfile->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct file file;

	if (fd >= 0 && !file_adopt(&file, fd, ringfile->path)) {
		if (is_same(&file, &ringfile->file))
			ringfile->lock = map_lock(&file);
		file_close(&file);
	}
	if (!ringfile->lock)
		flock(ringfile->file.fd, LOCK_EX | LOCK_NB);
}

/* Creates the file in `directory` and maps its header page; 0, or -1 with errno. */
static int create_in(struct ringfile *ringfile, const char *directory)
{
	int fd = create_file(ringfile, directory);
	int error;

	if (fd < 0)
		return -1;
	if (!file_adopt(&ringfile->file, fd, ringfile->path)) {
		ringfile->header = map_more(&ringfile->file, 0, RINGFILE_PAGE);
		if (ringfile->header) {
			lock(ringfile);
			return 0;
		}
		error = errno;
		errno = file_is_intact(&ringfile->file) ? error : EBADF;
	}
	error = errno;
	unlink(ringfile->path);
	file_close(&ringfile->file);
	errno = error;
	return -1;
}

/* As create_in, repeated while the program closes or reuses the descriptor. */
static int create_again(struct ringfile *ringfile, const char *directory)
{
	int result, tries = FILE_TRIES;

	do
		result = create_in(ringfile, directory);
	while (result && errno == EBADF && --tries);
	if (!result)
		ringfile->unseen = !ringfile_place_is_seen(directory);
	return result;
}

/* Returns true if no other user can replace a file that this user makes there. */
static bool is_safe(const char *directory)
{
	struct stat status;

	return !stat(directory, &status) && S_ISDIR(status.st_mode) &&
	       (!status.st_uid || status.st_uid == geteuid()) &&
	       (status.st_mode & S_ISVTX || !(status.st_mode & (S_IWGRP | S_IWOTH)));
}

static bool has_room(const char *directory, uint64_t room)
{
	struct statfs status;

	return !statfs(directory, &status) && (uint32_t)status.f_type == TMPFS &&
	       (uint64_t)status.f_bavail * (uint64_t)status.f_bsize >= room;
}

static int create_in_memory(struct ringfile *ringfile, uint64_t room)
{
	return is_safe(RINGFILE_SHARED_MEMORY) && has_room(RINGFILE_SHARED_MEMORY, room)
		       ? create_again(ringfile, RINGFILE_SHARED_MEMORY)
		       : -1;
}

/* Returns 0, or -1 with errno: `error` if the directory is not suitable. */
static int create_in_memory_after_all(struct ringfile *ringfile, int error)
{
	if (is_safe(RINGFILE_SHARED_MEMORY))
		return create_again(ringfile, RINGFILE_SHARED_MEMORY);
	errno = error;
	return -1;
}

/* /dev and what is below: a log may be /dev/null. */
static bool is_of_devices(const char *directory)
{
	return !strncmp(directory, "/dev", 4) && (!directory[4] || directory[4] == '/');
}

/* Returns 0, or -1 with errno; 0: the directory is not suitable. */
static int create_on_disk(struct ringfile *ringfile, const char *directory)
{
	errno = 0;
	if (is_of_devices(directory) || is_network(directory))
		return -1;
	return create_again(ringfile, directory);
}

/* The thread may have a small stack. */
static int create_beside(struct ringfile *ringfile, const char *log)
{
	char *directory = memory_map(RINGFILE_PAGE);
	int result = -1, error = 0;

	if (directory && !file_directory(directory, RINGFILE_PAGE, log)) {
		result = create_on_disk(ringfile, directory);
		error = errno;
	}
	if (directory)
		memory_unmap(directory, RINGFILE_PAGE);
	errno = error;
	return result;
}

/* As create_in_memory_after_all. If that memory is not the tool's, the file is created in the
 * directory of the tool, if this process has it. */
static int create_elsewhere(struct ringfile *ringfile, int error)
{
	const char *directory = ringfile_place_has_tools_memory() ? NULL : ringfile_place_of_tool();

	if (directory && !create_on_disk(ringfile, directory))
		return 0;
	return create_in_memory_after_all(ringfile, error);
}

int ringfile_storage_create(struct ringfile *ringfile, const char *log, enum ring_place place)
{
	if (place != RING_BESIDE_LOG &&
	    (place == RING_IN_MEMORY || ringfile_place_has_tools_memory()) &&
	    !create_in_memory(ringfile, place == RING_IN_MEMORY ? RINGFILE_STORAGE_LEAST
								: RINGFILE_STORAGE_ROOM))
		return 0;
	if (!create_beside(ringfile, log))
		return 0;
	return create_elsewhere(ringfile, errno);
}

static bool is_own(const struct ringfile_header *header, const struct file *file)
{
	return header->file_device == file->device && header->file_inode == file->inode;
}

/* Opens the file again: the program has closed the descriptor, or recovery has none. Returns -1 on
 * failure. */
static int open_again(struct ringfile *ringfile)
{
	struct file file;
	int fd = open(ringfile->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (file_adopt(&file, fd, ringfile->path))
		return 0; /* it was closed or reused at once */
	if (!ringfile->resumed && !is_own(ringfile->header, &file)) {
		file_close(&file);
		return -1;
	}
	ringfile->file = file;
	return 0;
}

/* Fills the rest of a page of the system, which may be larger than one of the file: mappings begin
 * at pages. Returns 0, or -1. */
static int fill_page(const struct file *file, uint64_t from)
{
	struct segment rest = {
		.magic = SEGMENT_MAGIC,
		.kind = SEGMENT_FILLER,
		.size = memory_in_pages(from) - from,
	};

	return rest.size && (!file_is_intact(file) ||
			     pwrite(file->fd, &rest, sizeof(rest), (off_t)from) != sizeof(rest))
		       ? -1
		       : 0;
}

/* The new memory begins at header->end, or at the next page of the system. */
static void *add_memory(const struct file *file, uint64_t end, uint64_t size)
{
	void *memory = map_more(file, memory_in_pages(end), size);

	if (!memory || !fill_page(file, end))
		return memory;
	munmap(memory, size);
	return NULL;
}

static void *grow(struct ringfile *ringfile, uint64_t size)
{
	for (int tries = FILE_TRIES; ringfile->path[0] && tries; tries--) {
		void *memory = add_memory(&ringfile->file, ringfile->header->end, size);

		if (memory || file_is_intact(&ringfile->file) || open_again(ringfile))
			return memory;
	}
	return NULL;
}

/* A job that opens the file for the file thread, and grows it if `size` is not 0. */
struct growth {
	struct file_job job;
	uint64_t size;
	struct ringfile ringfile; /* a copy; `file` is the descriptor in the job's table */
	void *memory;		  /* result, or NULL */
	int error;
	bool open;  /* result: there is a descriptor */
	bool apart; /* result: it is in the file thread's own table */
};

static void do_grow(struct file_job *job)
{
	struct growth *growth = (struct growth *)(void *)job;
	struct ringfile *ringfile = &growth->ringfile;

	/* Not before: the file thread may get its table while a job is prepared. */
	growth->apart = filethread_is_apart();
	if (growth->apart)
		ringfile->file = ringfile->thread_file;
	growth->open = file_is_intact(&ringfile->file) || !open_again(ringfile);
	if (growth->open && growth->size)
		growth->memory = grow(ringfile, growth->size);
	growth->error = errno;
}

static void dispose(struct file_job *job)
{
	struct growth *growth = (struct growth *)(void *)job;

	if (growth->memory)
		munmap(growth->memory, growth->size);
	if (growth->apart)
		file_close(&growth->ringfile.file);
	memory_unmap(growth, sizeof(*growth));
}

static struct growth *new_growth(struct ringfile *ringfile, uint64_t size)
{
	struct growth *growth = memory_map(sizeof(*growth));

	if (!growth)
		return NULL;
	growth->job.work = do_grow;
	growth->job.dispose = dispose;
	growth->size = size;
	/* Without its mutex, which is locked. */
	memcpy(&growth->ringfile, ringfile, offsetof(struct ringfile, growth));
	return growth;
}

/* Sets *memory and errno if the file thread has tried it. Returns false if it could not: it waits
 * for another file, or cannot open this one. In a thread with a seccomp filter, which may kill for
 * what the caller would do then, waiting counts as a failure. */
static bool grow_in_file_thread(struct ringfile *ringfile, uint64_t size, void **memory)
{
	struct growth *growth = new_growth(ringfile, size);
	enum file_job_state state;
	bool tried;
	int error;

	if (!growth)
		return false;
	state = filethread_try(&growth->job);
	if (state == JOB_ABANDONED) {
		ringfile->thread_file = FILE_CLOSED; /* it belongs to the job */
		return true;
	}
	tried = state == JOB_DONE && growth->open;
	if (state == JOB_IDLE && ringfile->by_thread && prctl(PR_GET_SECCOMP) > 0) {
		memory_unmap(growth, sizeof(*growth));
		errno = ETIMEDOUT;
		return true;
	}
	if (tried)
		*(growth->apart ? &ringfile->thread_file : &ringfile->file) = growth->ringfile.file;
	ringfile->by_thread = ringfile->by_thread || tried;
	*memory = growth->memory;
	error = growth->error;
	memory_unmap(growth, sizeof(*growth));
	errno = error;
	return tried;
}

void ringfile_storage_move(struct ringfile *ringfile)
{
	void *none = NULL;

	if (ringfile->path[0] && !ringfile->by_thread)
		grow_in_file_thread(ringfile, 0, &none);
}

void *ringfile_storage_grow(struct ringfile *ringfile, uint64_t size)
{
	void *memory = NULL;

	if (ringfile->by_thread && ringfile->path[0] &&
	    grow_in_file_thread(ringfile, size, &memory))
		return memory;
	memory = grow(ringfile, size);
	if (!memory && file_lacks_descriptors(errno) && ringfile->path[0] &&
	    !ringfile->resumed)
		grow_in_file_thread(ringfile, size, &memory);
	return memory;
}
