/* SPDX-License-Identifier: MIT */
#include "session/unrecovered.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/filethread.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/tsan.h"
#include "session/identity.h"
#include "session/locks.h"
#include "session/manifest.h"
#include "session/ringfile_path.h"
#include "session/ringfile_reader.h"

enum {
	PATH = 4096,
	ENTRIES = 1 << 14, /* bytes of a directory that are read at a time */
	READS = 64,	   /* number of reads: about 32000 files */
	MOST = 16,	   /* maximum number of ring files of ended processes that are read */
};

/* The format of getdents64. */
struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

/* The part that runs in the file thread. */
struct search {
	struct file_job job;
	char directory[PATH];
	char logs[API_COUNT][PATH]; /* patterns, as in rules; "": none */
	char path[PATH];	    /* of the ring file that is read */
	_Alignas(struct entry) char entries[ENTRIES];
	uint64_t born; /* of this session's ring file, as in its header */
	unsigned looked;
	/* results */
	unsigned found;
	uint32_t pid; /* of the first file found */
	char first[PATH];
};

static int take_rules(void *argument, const struct frame *frame)
{
	const struct rules_frame *rules = (const void *)frame;
	const struct search *search = argument;
	const char *log;

	if (frame->kind != FRAME_RULES || frame->flags & RULES_API_LOG || rules->api >= API_COUNT ||
	    rules->log_length > frame->size - sizeof(*rules))
		return 0;
	log = search->logs[rules->api];
	return *log && strlen(log) == rules->log_length &&
			       !memcmp(log, rules->text, rules->log_length)
		       ? -1
		       : 0;
}

/* Returns true if the file has rows of a log with the same name. */
static bool is_wanted(const struct search *search, int fd, uint64_t size)
{
	struct ringfile_reader reader = {.size = size};
	void *file = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	bool wanted;

	if (file == MAP_FAILED)
		return false;
	reader.header = file;
	wanted = ringfile_reader_frames(&reader, take_rules, (void *)(uintptr_t)search) &&
		 !ringfile_reader_is_empty(&reader);
	munmap(file, size);
	return wanted;
}

/* Returns true if the ring file belongs to an ended process of this user and is not younger than
 * this process's own: a child of this process is not an earlier run. A process in another container
 * may hold the lock. */
static bool is_left(const struct search *search, int fd, const struct ringfile_header *header,
		    const struct stat *status)
{
	return !memcmp(header->magic, RINGFILE_MAGIC, sizeof(header->magic)) &&
	       header->version == RINGFILE_VERSION && !header->finished &&
	       header->pid != (uint32_t)getpid() &&
	       ringfile_reader_has_owner(header, status) &&
	       header->file_device == status->st_dev && header->file_inode == status->st_ino &&
	       header->process_start && header->file_born <= search->born &&
	       header->process_start != identity_process_start(header->pid) &&
	       !flock(fd, LOCK_SH | LOCK_NB) && !flock(fd, LOCK_UN);
}

static void look_into(struct search *search, int fd)
{
	struct ringfile_header header;
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
	    status.st_size <= RINGFILE_PAGE ||
	    pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return;
	if (!is_left(search, fd, &header, &status))
		return;
	search->looked++;
	if (!is_wanted(search, fd, (uint64_t)status.st_size) || manifest_has(search->path))
		return;
	if (search->found++)
		return;
	search->pid = header.pid;
	strcpy(search->first, search->path);
}

static void look_at(struct search *search, const char *name)
{
	int fd;

	if (!ringfile_path_has_name(name) ||
	    snprintf(search->path, PATH, "%s/%s", search->directory, name) >= PATH)
		return;
	fd = tsan_open(search->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return;
	look_into(search, fd);
	tsan_close(fd);
}

static void do_search(struct file_job *job)
{
	struct search *search = (struct search *)(void *)job;
	int fd = tsan_open(search->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long got;

	for (int read = 0; fd >= 0 && read < READS && search->looked < MOST; read++) {
		got = syscall(SYS_getdents64, fd, search->entries, ENTRIES);
		for (long at = 0; at < got && search->looked < MOST;) {
			const struct entry *entry = (const void *)(search->entries + at);

			look_at(search, entry->name);
			at += entry->length;
		}
		if (got <= 0)
			break;
	}
	if (fd >= 0)
		tsan_close(fd);
}

static void dispose(struct file_job *job)
{
	memory_unmap(job, sizeof(struct search));
}

/* Takes the lock that a fork takes, since the child drops its parent's ring file. Returns NULL
 * without memory, or if there is nothing to search: in a forked child, whose parent did it, and
 * without a ring file. */
static struct search *prepare(const struct session *session)
{
	struct search *search = NULL;

	meta_lock();
	if (session->ringfile.path[0] && !globals.forked)
		search = memory_map(sizeof(*search));
	if (search) {
		search->born = session->ringfile.header->file_born;
		file_directory(search->directory, PATH, session->ringfile.path);
	}
	for (int api = 0; search && api < API_COUNT; api++)
		if (globals.settings[api] && strlen(globals.settings[api]->log) < PATH)
			strcpy(search->logs[api], globals.settings[api]->log);
	meta_unlock();
	return search;
}

static void print_found(const struct search *search)
{
	char others[64] = "";

	if (search->found > 1)
		snprintf(others, sizeof(others), ", and in %u more",
			 search->found - 1);
	if (search->found)
		say("rows of process %u of an earlier run are in %s%s; run 'computeprof recover' "
		    "to write them to logs",
		    search->pid, search->first, others);
}

void unrecovered_tell(struct session *session)
{
	struct search *search = prepare(session);
	enum file_job_state state;

	if (!search)
		return;
	search->job.work = do_search;
	search->job.dispose = dispose;
	state = filethread_try(&search->job);
	if (state == JOB_DONE)
		print_found(search);
	if (state != JOB_ABANDONED)
		dispose(&search->job);
}
