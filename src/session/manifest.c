/* SPDX-License-Identifier: MIT */
#include "session/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/filethread.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/pathlist.h"
#include "base/say.h"
#include "base/strbuf.h"
#include "base/tsan.h"
#include "session/identity.h"

enum { CHUNK = 1 << 14, LIMIT = 1 << 24 };

/* A job that appends a line. */
struct added_line {
	struct file_job job;
	char manifest[4096];
	struct strbuf line;
	bool is_last; /* a line that fails as a whole does not mark the list */
	bool refused; /* result: the list is there, and could not be written; */
	bool absent;  /* or it does not exist for this process */
};

void manifest_keep_variables(void)
{
	env_keep(MANIFEST_VARIABLE);
	env_keep(MANIFEST_SINCE);
	env_keep(MANIFEST_OVERWRITE);
	env_keep(MANIFEST_MEMORY);
	env_keep(MANIFEST_RINGS);
	env_keep(MANIFEST_TOOL);
}

int64_t manifest_run_started(void)
{
	const char *since = env_kept(MANIFEST_SINCE);
	uint64_t at = since ? number_read(since, NULL) : 0;

	return at < INT64_MAX ? (int64_t)at : 0;
}

bool manifest_is_of_run(const struct stat *status)
{
	int64_t start = manifest_run_started();
	int64_t written = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;

	return start && written > start;
}

bool manifest_overwrites(void)
{
	const char *all = env_kept(MANIFEST_OVERWRITE);

	return all && !strcmp(all, "1");
}

/* In another pid namespace that is not known; returns false. */
static bool tool_runs(void)
{
	const char *tool = env_kept(MANIFEST_TOOL), *end;
	uint64_t pid = tool ? number_read(tool, &end) : 0;
	uint64_t start = pid && *end == ':' ? number_read(end + 1, NULL) : 0;

	return start && pid <= INT32_MAX && identity_process_start((uint32_t)pid) == start;
}

/* Returns true if this process has another pid namespace than the tool had. */
static bool tool_is_elsewhere(void)
{
	const char *tool = env_kept(MANIFEST_TOOL);
	const char *of_tool = tool ? strrchr(tool, ':') : NULL;
	uint64_t here = identity_pid_namespace();

	return of_tool && here && number_read(of_tool + 1, NULL) != here;
}

/* If the first line could not be written, the list is empty and has the mode MANIFEST_CUT. */
static bool has_head(int fd, const struct stat *status)
{
	char head[sizeof(MANIFEST_HEAD) - 1];

	if (!status->st_size)
		return (status->st_mode & 0777) == MANIFEST_CUT;
	return pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	       !memcmp(head, MANIFEST_HEAD, sizeof(head));
}

/* Returns true if the file is a list of the tool. Root may write to the lists of all users. */
static bool is_list(int fd, bool of_others)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
	       (of_others || status.st_uid == geteuid() || !geteuid()) && has_head(fd, &status);
}

/* Not created here: if the tool has ended, no one reads the list. */
static int open_list(const char *path, bool of_others)
{
	int fd = tsan_open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY |
					 O_NONBLOCK);

	if (fd < 0 || is_list(fd, of_others))
		return fd;
	tsan_close(fd);
	errno = EBADMSG;
	return -1;
}

static bool is_forbidden(int error)
{
	return error == EACCES || error == EPERM;
}

/* Opens the second list, `path`, after the first one was forbidden with `error`, an errno. Returns
 * -1 with errno. */
static int open_others(const char *path, int error)
{
	int fd = open_list(path, true);

	if (fd < 0 && errno == ENOENT) /* not root's tool: a sandbox forbids the first one */
		errno = error;
	return fd;
}

int manifest_open(struct strbuf *path)
{
	int fd = open_list(strbuf_text(path), false), error = errno;

	if (fd >= 0 || !is_forbidden(error))
		return fd;
	strbuf_string(path, MANIFEST_OTHERS);
	return open_others(strbuf_text(path), error);
}

/* Sets the mode of the list if the process cannot open it: it has no descriptor left, or a sandbox
 * forbids it. Its first line cannot be read then, so other properties of a list are checked. */
static void mark_cut(const char *path)
{
	struct stat status;

	if (!file_lacks_descriptors(errno) && !is_forbidden(errno))
		return;
	if (!lstat(path, &status) && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
	    status.st_uid == geteuid() && (status.st_mode & 07777) == 0600)
		chmod(path, MANIFEST_CUT);
}

static void add_line(struct added_line *news, struct strbuf *path)
{
	const struct strbuf *line = &news->line;
	struct file file;
	size_t done, length = path->length;
	int fd = manifest_open(path);

	if (fd < 0) {
		news->absent = errno == ENOENT;
		news->refused =
			errno == ENOENT ? tool_runs() || tool_is_elsewhere() : errno != EBADMSG;
		path->length = length;
		if (!news->is_last)
			mark_cut(strbuf_text(path));
	}
	if (fd < 0 || file_adopt(&file, fd, strbuf_text(path)))
		return;
	done = file_write(file.fd, line->data, line->length);
	news->refused = done < line->length;
	if (news->refused && (done || !news->is_last))
		fchmod(file.fd, MANIFEST_CUT);
	file_close(&file);
}

static void do_add(struct file_job *job)
{
	struct added_line *news = (struct added_line *)(void *)job;
	struct strbuf path = STRBUF_INIT;

	strbuf_string(&path, news->manifest);
	add_line(news, &path);
	strbuf_free(&path);
}

static void dispose(struct file_job *job)
{
	struct added_line *news = (struct added_line *)(void *)job;

	strbuf_free(&news->line);
	memory_unmap(news, sizeof(*news));
}

/* Returns NULL without a tool, or without memory. */
static struct added_line *begin_lines(void)
{
	const char *manifest = env_kept(MANIFEST_VARIABLE);
	struct added_line *news = manifest ? memory_map(sizeof(*news)) : NULL;

	if (!news)
		return NULL;
	news->job.work = do_add;
	news->job.dispose = dispose;
	snprintf(news->manifest, sizeof(news->manifest), "%s", manifest);
	return news;
}

/* Returns false if the list is there, and was not written. `absent` is set to whether it is known
 * that it does not exist for this process. */
static bool end_lines(struct added_line *news, bool *absent)
{
	enum file_job_state state = filethread_try(&news->job);
	bool refused = state != JOB_DONE || news->refused;

	*absent = state == JOB_DONE && news->absent;
	if (state != JOB_ABANDONED)
		dispose(&news->job);
	return !refused;
}

static void put_line(struct added_line *news, const char *kind, const char *path)
{
	strbuf_string(&news->line, kind);
	strbuf_char(&news->line, ' ');
	pathlist_put(&news->line, path);
	strbuf_char(&news->line, '\n');
}

bool manifest_add(const char *kind, const char *path)
{
	struct added_line *news = begin_lines();
	bool absent;

	if (!news)
		return true;
	put_line(news, kind, path);
	end_lines(news, &absent);
	return !absent;
}

void manifest_add_missing(uint32_t pid, uint64_t started, uint64_t records, uint64_t events)
{
	char counts[128];

	snprintf(counts, sizeof(counts), "%u %llu %llu %llu", pid, (unsigned long long)started,
		 (unsigned long long)records, (unsigned long long)events);
	manifest_add("missing", counts);
}

bool manifest_add_end(const char *kind, const char *session)
{
	struct added_line *news = begin_lines();
	bool absent;

	if (!news)
		return !env_kept(MANIFEST_VARIABLE);
	put_line(news, kind, session);
	news->is_last = true;
	return end_lines(news, &absent);
}

void manifest_add_ring(const char *path, const char *session)
{
	struct added_line *news = begin_lines();
	bool absent;

	if (!news)
		return;
	put_line(news, "ring", path);
	strbuf_printf(&news->line, "begun %s ", session);
	pathlist_put(&news->line, path);
	strbuf_char(&news->line, '\n');
	end_lines(news, &absent);
}

void manifest_add_lost(void)
{
	static const char line[] = "lost -\n";
	static char others[4096];
	static int once;
	const char *manifest = env_kept(MANIFEST_VARIABLE);
	int fd, error;

	if (!manifest || __atomic_exchange_n(&once, 1, __ATOMIC_RELAXED))
		return;
	fd = open_list(manifest, false);
	error = errno;
	if (fd < 0 && is_forbidden(error)) {
		snprintf(others, sizeof(others), "%s%s", manifest, MANIFEST_OTHERS);
		fd = open_others(others, error);
	}
	if (fd < 0) {
		mark_cut(manifest);
		return;
	}
	if (file_write(fd, line, sizeof(line) - 1) < sizeof(line) - 1)
		fchmod(fd, MANIFEST_CUT);
	tsan_close(fd);
}

void manifest_tell_no_memory(void)
{
	say_no_memory();
	manifest_add_lost();
}

/* Lines are "KIND PATH". */
static bool has_line(const char *text, const char *path, size_t length)
{
	while (*text) {
		const char *end = strchrnul(text, '\n');
		const char *blank = memchr(text, ' ', (size_t)(end - text));

		if (blank && (size_t)(end - blank - 1) == length &&
		    !memcmp(blank + 1, path, length))
			return true;
		text = *end ? end + 1 : end;
	}
	return false;
}

/* Reads nothing if this user may not read the file. */
static void read_lines(struct strbuf *to, const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = 1;

	while (fd >= 0 && got > 0 && to->length < LIMIT) {
		char *room = strbuf_reserve(to, CHUNK);

		got = room ? read(fd, room, CHUNK) : 0;
		to->length += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
}

bool manifest_has(const char *path)
{
	const char *manifest = env_kept(MANIFEST_VARIABLE);
	struct strbuf text = STRBUF_INIT, name = STRBUF_INIT, line = STRBUF_INIT;
	bool found;

	if (!manifest)
		return false;
	strbuf_printf(&name, "%s%s", manifest, MANIFEST_OTHERS);
	read_lines(&text, manifest);
	strbuf_char(&text, '\n');
	read_lines(&text, strbuf_text(&name));
	pathlist_put(&line, path);
	found = has_line(strbuf_text(&text), strbuf_text(&line), line.length);
	strbuf_free(&text);
	strbuf_free(&name);
	strbuf_free(&line);
	return found;
}

static bool is_absent(const char *manifest)
{
	return manifest && access(manifest, F_OK) && errno == ENOENT;
}

/* As in a sandbox with a root directory that is mounted read-only. */
static bool is_read_only(const char *manifest)
{
	return manifest && access(manifest, W_OK) && errno == EROFS;
}

bool manifest_is_gone(void)
{
	return is_absent(env_kept(MANIFEST_VARIABLE)) && !tool_runs();
}

/* A job that looks for the list. */
struct look {
	struct file_job job;
	bool unseen; /* the list is missed also if the tool runs */
	bool gone;
	bool is_stat; /* `owner` is that of the list */
	uint32_t owner;
};

static void do_look(struct file_job *job)
{
	struct look *look = (struct look *)(void *)job;
	const char *manifest = env_kept(MANIFEST_VARIABLE);
	struct stat status;

	look->gone =
		look->unseen ? is_absent(manifest) || is_read_only(manifest) : manifest_is_gone();
	look->is_stat = manifest && !stat(manifest, &status);
	if (look->is_stat)
		look->owner = status.st_uid;
}

static void dispose_look(struct file_job *job)
{
	memory_unmap(job, sizeof(struct look));
}

/* 1: a tool has started this process, and the list is gone; 0: it is there, or the file system does
 * not answer; -1: there was no tool, or no memory. Sets `owner` if it is known. */
static int look_for_list(bool unseen, uint32_t *owner)
{
	struct look *look = env_kept(MANIFEST_VARIABLE) ? memory_map(sizeof(*look)) : NULL;
	bool gone;

	if (!look)
		return -1;
	look->unseen = unseen;
	look->job.work = do_look;
	look->job.dispose = dispose_look;
	if (filethread_try(&look->job) == JOB_ABANDONED)
		return 0;
	gone = look->gone;
	if (look->is_stat)
		*owner = look->owner;
	dispose_look(&look->job);
	return gone;
}

bool manifest_is_read(uint32_t owner)
{
	uint32_t reader = owner;

	return look_for_list(false, &reader) == 0 && reader == owner;
}

bool manifest_is_unread(bool unseen)
{
	uint32_t reader;

	return look_for_list(unseen, &reader) == 1;
}

bool manifest_has_tool(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool has;

	if (fd < 0)
		return errno != ENOENT && errno != ENOTDIR;
	has = flock(fd, LOCK_SH | LOCK_NB) != 0;
	close(fd);
	return has;
}

void manifest_remove(const char *path, bool has_folder)
{
	struct strbuf name = STRBUF_INIT;

	unlink(path);
	strbuf_string(&name, path);
	strbuf_string(&name, MANIFEST_OTHERS);
	unlink(strbuf_text(&name));
	name.length = 0;
	strbuf_append(&name, path, (size_t)(strrchr(path, '/') - path));
	if (has_folder)
		rmdir(strbuf_text(&name));
	strbuf_free(&name);
}

void manifest_remove_unread(const char *path)
{
	int fd = path[0] == '/' ? open_list(path, false) : -1;

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		manifest_remove(path, !strncmp(strrchr(path, '/'), MANIFEST_FOLDER,
					       strlen(MANIFEST_FOLDER)));
	if (fd >= 0)
		tsan_close(fd);
}
