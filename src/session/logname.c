/* SPDX-License-Identifier: MIT */
#include "session/logname.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/trust.h"
#include "model/api.h"
#include "output/filetype.h"
#include "session/manifest.h"
#include "session/tell.h"
#include "settings/filename.h"

/* The parts that are inserted before the extension until the name is unused, in this order. */
enum tag { TAG_API, TAG_NUMBER, TAG_DEVICE, TAG_PROCESS, TAG_SERIAL, TAG_COUNT };

struct choice {
	const struct log_file *log; /* NULL for the trace */
	const char *pattern;
	uint32_t pid;
	bool tags[TAG_COUNT];
	unsigned serial;
};

/* The value of %d. */
static uint32_t number_of(const struct log_file *log)
{
	if (!log || log->of_calls)
		return 0;
	return log->target.layout.dialect == DIALECT_CLASSIC ? log->target.device->number
							     : log->target.context->index;
}

static void tag_text(char *to, size_t size, const struct choice *choice, enum tag tag)
{
	switch (tag) {
	case TAG_API:
		snprintf(to, size, "%s", api_rows[choice->log->target.layout.api].word);
		break;
	case TAG_NUMBER:
		snprintf(to, size, "%u", number_of(choice->log));
		break;
	case TAG_DEVICE:
		snprintf(to, size, "%u", choice->log->target.device->number);
		break;
	case TAG_PROCESS:
		snprintf(to, size, "%u", choice->pid);
		break;
	case TAG_SERIAL:
	case TAG_COUNT:
		snprintf(to, size, "%u", choice->serial);
		break;
	}
}

/* Builds the absolute path of the choice; -1 with errno. */
static int build(const struct choice *choice, char *to, size_t size)
{
	struct strbuf name = STRBUF_INIT, tagged = STRBUF_INIT;
	int result;

	filename_expand(&name, choice->pattern, number_of(choice->log), choice->pid);
	for (int tag = 0; tag < TAG_COUNT; tag++) {
		char text[32];

		if (!choice->tags[tag])
			continue;
		tag_text(text, sizeof(text), choice, (enum tag)tag);
		tagged.length = 0;
		filename_tag(&tagged, strbuf_text(&name), text);
		name.length = 0;
		strbuf_append(&name, tagged.data, tagged.length);
	}
	if (name.failed || tagged.failed) {
		errno = ENOMEM;
		result = -1;
	} else {
		result = file_absolute(to, size, strbuf_text(&name));
	}
	strbuf_free(&name);
	strbuf_free(&tagged);
	return result;
}

/* Returns the log of this process that uses the path; `trace_uses` checks the trace. */
static const struct log_file *user_of(const struct logs *logs, const char *path)
{
	for (uint32_t i = 0; i < logs->count; i++)
		if (logs->files[i].path && !strcmp(logs->files[i].path, path))
			return &logs->files[i];
	return NULL;
}

static bool trace_uses(const struct logs *logs, const char *path)
{
	return logs->trace.path && !strcmp(logs->trace.path, path);
}

/* Adds the next tag that distinguishes `choice` from `other` (NULL: another process or the
 * trace). */
static void distinguish(struct choice *choice, const struct log_file *other)
{
	bool mine = choice->log && other;
	bool api = mine && choice->log->target.layout.api != other->target.layout.api;

	mine = mine && !choice->log->of_calls && !other->of_calls;
	if (api && !choice->tags[TAG_API])
		choice->tags[TAG_API] = true;
	else if (mine && !choice->tags[TAG_NUMBER] && number_of(choice->log) != number_of(other))
		choice->tags[TAG_NUMBER] = true;
	else if (mine && !choice->tags[TAG_DEVICE] &&
		 choice->log->target.device != other->target.device)
		choice->tags[TAG_DEVICE] = true;
	else if (!choice->tags[TAG_PROCESS])
		choice->tags[TAG_PROCESS] = true;
	else {
		choice->tags[TAG_SERIAL] = true;
		choice->serial++;
	}
}

char *logs_keep_path(const char *path, size_t length)
{
	char *copy = memory_map(length + 1);

	if (copy)
		memcpy(copy, path, length);
	return copy;
}

/* A job of the file thread that tries one name. */
struct name_attempt {
	struct file_job job;
	struct file file;
	bool keep_existing;
	bool only_new;
	int64_t overwrite_since; /* recovery: older files may be overwritten; 0: none */
	int64_t started; /* CLOCK_REALTIME ns, of this process or its run; 0: unknown */
	int result;
	int error;
	char path[4096];
};

static int64_t process_started(const struct logs *logs)
{
	const struct process *process = &logs->catalog->process;
	int64_t at;

	/* A damaged ring file may have any value. */
	if (!process->started ||
	    __builtin_add_overflow((int64_t)process->started, process->monotonic_to_epoch, &at))
		return 0;
	return logs->born && logs->born < at ? logs->born : at;
}

static int64_t started(const struct logs *logs)
{
	int64_t process = process_started(logs), run = manifest_run_started();

	return run && (!process || run < process) ? run : process;
}

/* CLOCK_REALTIME ns. */
static int64_t last_write(const struct stat *status)
{
	return (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
}

/* Returns true if the file was written after the start of this process or its run: then it is not
 * from an earlier run. The process may have executed another program since. */
static bool written_since(const struct name_attempt *attempt, const struct stat *status)
{
	return attempt->started && last_write(status) > attempt->started;
}

/* A log of an earlier run is replaced. A file that is neither log nor trace is replaced only with
 * computeprof -f. */
static bool is_replaceable(const char *path)
{
	return manifest_overwrites() || filetype_is_profile(path);
}

/* In recovery: returns true if -f allows to overwrite the file. It must belong to this user, be
 * older than the run, and not be in the run's list. */
static bool is_old(const struct name_attempt *attempt, const struct stat *status)
{
	return attempt->overwrite_since && S_ISREG(status->st_mode) && status->st_nlink == 1 &&
	       status->st_uid == geteuid() &&
	       last_write(status) < attempt->overwrite_since - LOGS_COARSE &&
	       !manifest_has(attempt->path);
}

/* An earlier run's log is replaced, but not one that a process of this run has finished. */
static bool is_of_this_run(const struct name_attempt *attempt)
{
	const char *path = attempt->path;
	struct stat status;

	if (lstat(path, &status) || S_ISCHR(status.st_mode))
		return false;
	/* An empty file may be replaced: the dead process may have made it just before it ended. */
	if (S_ISREG(status.st_mode) && !status.st_size)
		return false;
	if (attempt->keep_existing)
		return !is_old(attempt, &status);
	if (!S_ISREG(status.st_mode))
		return false;
	return written_since(attempt, &status) || manifest_has(path) ||
	       (status.st_nlink == 1 && !is_replaceable(path));
}

/* Returns false if the directory of the path does not exist. `folder` has room for every name that
 * trust_path accepts. */
static bool has_folder(const char *path)
{
	char folder[4096];
	struct stat status;

	return file_directory(folder, sizeof(folder), path) || !stat(folder, &status) ||
	       errno != ENOENT;
}

/* For recovery, which runs long after the name was chosen: opens a file that does not exist, is
 * empty, or may be overwritten. */
static int open_late(struct name_attempt *attempt)
{
	struct file *file = &attempt->file;
	struct stat status;

	if (!trust_path(attempt->path)) {
		errno = has_folder(attempt->path) ? EREMCHG : ENOENT;
		return -1;
	}
	if (file_open_log(file, attempt->path, false))
		return -1;
	if (fstat(file->fd, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return 0;
	if (is_old(attempt, &status) && !ftruncate(file->fd, 0))
		return 0;
	file_close(file);
	errno = EEXIST;
	return -1;
}

/* No log is wanted. It is no file of someone else, so it may be used where only new files may. */
static bool is_null(const char *path)
{
	return !strcmp(path, "/dev/null");
}

static int open_empty(struct name_attempt *attempt)
{
	if (attempt->only_new && !is_null(attempt->path))
		return file_open_new(&attempt->file, attempt->path);
	if (is_of_this_run(attempt)) {
		errno = EEXIST;
		return -1;
	}
	return attempt->keep_existing ? open_late(attempt)
				      : file_open_log(&attempt->file, attempt->path, true);
}

static void do_open(struct file_job *job)
{
	struct name_attempt *attempt = (struct name_attempt *)(void *)job;

	attempt->result = open_empty(attempt);
	attempt->error = errno;
}

/* All logs may share /dev/null and similar files, whose names are not varied. */
static void do_look(struct file_job *job)
{
	struct name_attempt *attempt = (struct name_attempt *)(void *)job;
	struct stat status;

	attempt->result = !lstat(attempt->path, &status) && S_ISCHR(status.st_mode);
}

/* The caller has timed out: the new file is closed. */
static void dispose(struct file_job *job)
{
	struct name_attempt *attempt = (struct name_attempt *)(void *)job;

	file_close(&attempt->file);
	memory_unmap(attempt, sizeof(*attempt));
}

/* Returns the finished attempt; NULL with errno. */
static struct name_attempt *attempt_on(const struct logs *logs, const char *path,
				  int64_t overwrite_since, void (*work)(struct file_job *job))
{
	struct name_attempt *attempt = memory_map(sizeof(*attempt));
	enum file_job_state state;

	if (!attempt) {
		errno = ENOMEM;
		return NULL;
	}
	attempt->job.work = work;
	attempt->job.dispose = dispose;
	attempt->file = FILE_CLOSED;
	attempt->keep_existing = logs->keep_existing;
	attempt->only_new = logs->only_new;
	attempt->overwrite_since = overwrite_since;
	attempt->started = started(logs);
	strcpy(attempt->path, path);
	state = filethread_try(&attempt->job);
	if (state == JOB_DONE)
		return attempt;
	if (state == JOB_IDLE)
		memory_unmap(attempt, sizeof(*attempt));
	errno = ETIMEDOUT;
	return NULL;
}

/* Returns -1 with errno if it is not known. */
static int is_device(const struct logs *logs, const char *path)
{
	struct name_attempt *attempt = attempt_on(logs, path, 0, do_look);
	int result = attempt ? attempt->result : -1;

	memory_unmap(attempt, sizeof(*attempt));
	return result;
}

/* In recovery: returns the time before which a file with this exact name may be overwritten, or
 * 0. */
static int64_t overwrite_since(const struct logs *logs, const struct choice *choice)
{
	const char *allowed = logs->overwrite ? logs->overwrite->patterns[!choice->log] : NULL;

	for (int tag = 0; tag < TAG_COUNT; tag++)
		if (choice->tags[tag])
			return 0;
	if (choice->log && choice->log->of_calls)
		return 0;
	return allowed && !strcmp(choice->pattern, allowed) ? logs->overwrite->since : 0;
}

static int open_kept(const struct logs *logs, const struct choice *choice, struct file *file,
		     const char *candidate, char **path)
{
	char *kept = logs_keep_path(candidate, strlen(candidate));
	struct name_attempt *attempt = NULL;
	int result = -1, error = ENOMEM;

	if (kept) {
		attempt = attempt_on(logs, candidate, overwrite_since(logs, choice), do_open);
		error = errno;
	}
	if (attempt) {
		result = attempt->result;
		error = attempt->error;
		*file = attempt->file;
		memory_unmap(attempt, sizeof(*attempt));
	}
	if (result)
		memory_unmap(kept, strlen(candidate) + 1);
	else
		*path = kept;
	errno = error;
	return result;
}

/* The tried names; not on the stack, since a helping thread may have a small one. */
struct names {
	char candidate[4096];
	char first[4096];
};

static int try_names(struct logs *logs, struct choice *choice, struct names *names,
		     struct file *file, char **path)
{
	for (int try = 0; try < 100; try++) {
		const struct log_file *other;

		if (build(choice, names->candidate, sizeof(names->candidate)))
			return -1;
		if (!try)
			strcpy(names->first, names->candidate);
		other = user_of(logs, names->candidate);
		if (other || trace_uses(logs, names->candidate)) {
			distinguish(choice, other);
			continue;
		}
		if (!open_kept(logs, choice, file, names->candidate, path)) {
			/* For a file in its list, the tool prints the name itself. */
			if (try && !manifest_has(names->first))
				say("%s is taken, writing %s", names->first, names->candidate);
			return 0;
		}
		if (errno != EBUSY && errno != EEXIST)
			return -1;
		distinguish(choice, NULL);
	}
	errno = EBUSY;
	return -1;
}

static int open_one(struct logs *logs, struct choice *choice, struct names *names,
		    struct file *file, char **path)
{
	int device;

	if (build(choice, names->first, sizeof(names->first)))
		return -1;
	device = is_device(logs, names->first);
	if (device < 0)
		return -1;
	if (device && (!logs->only_new || is_null(names->first)))
		return open_kept(logs, choice, file, names->first, path);
	choice->tags[TAG_PROCESS] = logs->forked && !filename_has(choice->pattern, 'p');
	return try_names(logs, choice, names, file, path);
}

int logs_open_name(struct logs *logs, const struct log_file *log, const char *pattern,
		   struct file *file, char **path)
{
	struct choice choice = {.log = log, .pattern = pattern, .pid = logs->pid};
	struct names *names = memory_map(sizeof(*names));
	int result, error;

	if (!names) {
		errno = ENOMEM;
		return -1;
	}
	result = open_one(logs, &choice, names, file, path);
	error = errno;
	memory_unmap(names, sizeof(*names));
	errno = error;
	return result;
}

const char *logs_term(const struct log_file *log)
{
	if (!log)
		return "trace";
	return log->of_calls ? "API log" : "log";
}

const char *logs_consequence(bool recovering)
{
	return recovering ? "" : "; the program runs without it";
}

static bool is_forbidden(int error)
{
	return error == EACCES || error == EPERM || error == EROFS;
}

/* Returns true if the file is a log that was written before `time`. */
static bool is_older(const char *path, int64_t time)
{
	struct stat status;

	return !lstat(path, &status) && S_ISREG(status.st_mode) && status.st_size && time &&
	       last_write(&status) <= time;
}

void logs_say_refused(const struct logs *logs, const struct log_file *log, const char *pattern)
{
	int error = errno;
	const char *reason = file_reason(error);
	struct strbuf name = STRBUF_INIT;

	if (!log && error == ENOENT && manifest_is_gone())
		reason = "the computeprof that reads it has ended, its files in TMPDIR are hidden "
			 "or were removed, or the program has changed its root directory";

	filename_expand(&name, pattern, number_of(log), logs->pid);
	tell("cannot write the %s %s: %s%s%s", logs_term(log),
	     name.failed ? pattern : strbuf_text(&name), reason,
	     logs_consequence(logs->keep_existing),
	     log && is_forbidden(error) && is_older(strbuf_text(&name), started(logs))
		     ? "; that file is of an earlier run"
		     : "");
	strbuf_free(&name);
}
