/* SPDX-License-Identifier: MIT */
#include "cli/top/watch_list.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "session/ringfile_live.h"
#include "session/ringfile_path.h"

static bool has_logs_in(const struct watched *watched, const char *directory)
{
	const struct strbuf *logs = totals_reader_logs(watched->reader);

	for (size_t at = 0; at < logs->length; at += strlen(logs->data + at) + 1)
		if (file_is_in(logs->data + at, directory))
			return true;
	return false;
}

static bool is_wanted(const struct watch_list *list, const struct watched *watched,
		      const char *path)
{
	if (list->pid)
		return family_has(&list->family, watched->header->pid);
	return !list->directory || file_is_in(path, list->directory) ||
	       has_logs_in(watched, list->directory);
}

static bool is_known(const struct watch_list *list, const struct stat *status)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->list[i]->header->file_device == status->st_dev &&
		    list->list[i]->header->file_inode == status->st_ino)
			return true;
	return false;
}

static void remove_at(struct watch_list *list, size_t at)
{
	watched_close(list->list[at]);
	memmove(&list->list[at], &list->list[at + 1],
		(list->count - at - 1) * sizeof(list->list[0]));
	list->count--;
}

/* Returns false if all places are taken by running processes. */
static bool make_place(struct watch_list *list)
{
	if (list->count < WATCH_MOST)
		return true;
	for (size_t i = 0; i < list->count; i++)
		if (list->list[i]->ended) {
			remove_at(list, i);
			return true;
		}
	return false;
}

/* Takes ownership. Returns -1 without memory. */
static int keep(struct watch_list *list, struct watched *watched, const char *path)
{
	/* The names of the logs are read with the totals. */
	int result = watched_update(watched);
	bool wanted = !result && is_wanted(list, watched, path) &&
		      (!watched->ended || list->pid == watched->header->pid);

	if (wanted && make_place(list)) {
		list->list[list->count++] = watched;
		list->seen |= watched->header->pid == list->pid;
		return 0;
	}
	list->hidden += wanted;
	watched_close(watched);
	return result;
}

/* Returns true if the process has made the file but has not written the whole header: its first
 * bytes come last. */
static bool is_unfinished(const char *path)
{
	static const char none[sizeof(RINGFILE_MAGIC)];
	char magic[sizeof(none)] = "";
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is = fd >= 0 && pread(fd, magic, sizeof(magic), 0) >= 0 &&
		  !memcmp(magic, none, sizeof(none));

	if (fd >= 0)
		close(fd);
	return is;
}

static void note_other(struct watch_list *list, struct strbuf *reason)
{
	strbuf_free(&list->other);
	list->other = *reason;
	*reason = (struct strbuf)STRBUF_INIT;
}

/* Adds the process of a ring file. Those of other users are passed over. */
static int take(struct watch_list *list, const char *path, bool named)
{
	struct strbuf reason = STRBUF_INIT;
	struct watched *watched;
	struct stat status;
	bool unfinished;
	int result = 0;

	if (lstat(path, &status) || is_known(list, &status))
		return 0;
	if (status.st_uid != geteuid() && !named) {
		strbuf_printf(&reason, "%s belongs to another user", path);
		note_other(list, &reason);
		return 0;
	}
	/* Before the file is read: the process may write the rest of the header meanwhile. */
	unfinished = is_unfinished(path);
	watched = watched_open(path, &reason);
	if (watched) {
		/* An ended process is not read, unless it was named. */
		if (named || totals_reader_is_alive(watched->reader))
			result = keep(list, watched, path);
		else
			watched_close(watched);
	} else if (named && (status.st_uid != geteuid() || !unfinished)) {
		strbuf_free(&list->reason);
		list->reason = reason;
		return 0;
	} else if (!unfinished && !lstat(path, &status)) {
		note_other(list, &reason);
	}
	strbuf_free(&reason);
	return result;
}

/* computeprof-PID.ring and computeprof-PID-N.ring */
static bool is_named(const struct watch_list *list, const char *path)
{
	const char *slash = strrchr(path, '/');
	unsigned number;
	char after;

	return list->pid && !list->seen &&
	       sscanf(slash ? slash + 1 : path, "computeprof-%u%c", &number, &after) == 2 &&
	       number == list->pid && (after == '-' || after == '.');
}

/* Takes ownership of the paths, each followed by NUL. */
static int take_all(struct watch_list *list, struct strbuf *paths)
{
	int result = 0;

	for (size_t at = 0; !paths->failed && !result && at < paths->length;
	     at += strlen(paths->data + at) + 1)
		result = take(list, paths->data + at, is_named(list, paths->data + at));
	strbuf_free(paths);
	return result;
}

static int take_directory(struct watch_list *list, const char *directory)
{
	struct strbuf paths = STRBUF_INIT;

	ringfile_path_find(directory, &paths);
	return take_all(list, &paths);
}

/* The ring file may be in any directory. */
static int take_mapped(struct watch_list *list, uint32_t pid)
{
	struct strbuf paths = STRBUF_INIT;

	ringfile_live_find(pid, &paths);
	return take_all(list, &paths);
}

static bool runs_in(const struct watch_list *list, uint32_t pid)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->list[i]->header->pid == pid && !list->list[i]->ended)
			return true;
	return false;
}

static int take_family(struct watch_list *list)
{
	size_t count;
	const uint32_t *pids = family_list(&list->family, &count);
	int result = 0;

	for (size_t i = 0; i < count && !result; i++)
		if (!runs_in(list, pids[i]))
			result = take_mapped(list, pids[i]);
	return result;
}

int watch_list_find(struct watch_list *list)
{
	list->hidden = 0;
	if (list->pid)
		family_read(&list->family, list->pid);
	if (take_directory(list, RINGFILE_SHARED_MEMORY) ||
	    take_directory(list, list->directory ? list->directory : "."))
		return -1;
	return list->pid ? take_family(list) : 0;
}

int watch_list_update(struct watch_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (watched_update(list->list[i]))
			return -1;
	for (size_t i = list->count; i--;) {
		const struct watched *watched = list->list[i];

		if (watched->ended && !watched->any && watched->header->pid != list->pid)
			remove_at(list, i);
	}
	return 0;
}

void watch_list_drop_ended(struct watch_list *list)
{
	for (size_t i = list->count; i--;)
		if (list->list[i]->ended)
			remove_at(list, i);
}

size_t watch_list_running(const struct watch_list *list)
{
	size_t running = 0;

	for (size_t i = 0; i < list->count; i++)
		running += !list->list[i]->ended;
	return running;
}

void watch_list_free(struct watch_list *list)
{
	while (list->count)
		remove_at(list, list->count - 1);
	strbuf_free(&list->other);
	strbuf_free(&list->reason);
	family_free(&list->family);
}
