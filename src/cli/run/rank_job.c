/* SPDX-License-Identifier: MIT */
#include "cli/run/rank_job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/boot_id.h"
#include "base/file.h"
#include "base/number.h"
#include "session/identity.h"

enum { KEY_MOST = 100, PACE = 20 /* milliseconds between two looks */ };

/* The variables of a launcher. Those of `job` together name the job; without them it is the parent
 * process. Of a list of ranks per node the first number is taken, which may be that of another
 * node. Under Slurm, Hydra starts its ranks by a proxy for each node, and they inherit the
 * variables of the proxy. */
static const struct launcher {
	const char *rank, *size, *here;
	const char *job[2];
	bool needs_here; /* the launcher is another one if `here` is not set */
} launchers[] = {
	{"OMPI_COMM_WORLD_RANK",
	 "OMPI_COMM_WORLD_SIZE",
	 "OMPI_COMM_WORLD_LOCAL_SIZE",
	 {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"},
	 false},
	{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", {NULL}, false},
	{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", {NULL}, true},
	{"SLURM_PROCID",
	 "SLURM_STEP_NUM_TASKS",
	 "SLURM_STEP_TASKS_PER_NODE",
	 {"SLURM_JOB_ID", "SLURM_STEP_ID"},
	 false},
	{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", {NULL}, false},
};

/* Returns false if the variable does not begin with a number. */
static bool get_number(const char *name, uint64_t *number)
{
	const char *text = getenv(name), *end;

	if (!text)
		return false;
	*number = number_read(text, &end);
	return end > text;
}

static const struct launcher *find_launcher(struct rank_job *job)
{
	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		const struct launcher *launcher = &launchers[i];
		bool known = get_number(launcher->here, &job->here);

		if ((launcher->needs_here && !known) || !get_number(launcher->rank, &job->rank) ||
		    !get_number(launcher->size, &job->size) || job->rank >= job->size)
			continue;
		if (!known || job->here > job->size)
			job->here = job->size;
		job->all_here = known && job->here == job->size;
		return launcher;
	}
	return NULL;
}

/* Appends a value as a part of a file name. */
static void put_word(struct strbuf *to, const char *word)
{
	for (size_t i = 0; word[i] && i < KEY_MOST; i++)
		strbuf_char(to, strchr("/. \n", word[i]) ? '_' : word[i]);
	strbuf_char(to, '-');
}

/* Appends the parent and its start: its process id may have been used before. */
static void put_parent(struct strbuf *to)
{
	enum { START = 20 /* blanks between the name and the start */ };
	char path[32], text[1024] = "";
	const char *at;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/stat", (unsigned)getppid());
	file = fopen(path, "re");
	if (file) {
		text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
		fclose(file);
	}
	at = strrchr(text, ')');
	for (int i = 0; at && i < START; i++)
		at = strchr(at + 1, ' ');
	strbuf_printf(to, "%u-%llu-", (unsigned)getppid(),
		      at ? (unsigned long long)number_read(at + 1, NULL) : 0);
}

/* The name has the machine, by its present boot, as several may share TMPDIR. */
static void put_folder(struct strbuf *to, const struct launcher *launcher)
{
	const char *given = getenv("TMPDIR");
	uint8_t boot[BOOT_ID];
	size_t before;

	strbuf_printf(to, "%s/computeprof-job-%u-", given && *given ? given : "/tmp",
		      (unsigned)geteuid());
	before = to->length;
	for (size_t i = 0; i < sizeof(launcher->job) / sizeof(launcher->job[0]); i++)
		if (launcher->job[i] && getenv(launcher->job[i]))
			put_word(to, getenv(launcher->job[i]));
	if (to->length == before)
		put_parent(to);
	boot_id_read(boot);
	for (size_t i = 0; i < sizeof(boot); i++)
		strbuf_printf(to, "%02x", boot[i]);
}

/* Returns -1 if the folder is not of this user alone: others can write to TMPDIR. */
static int make_folder(const char *path)
{
	struct stat status;
	bool made = !mkdir(path, 0700);

	if (!made && errno != EEXIST)
		return -1;
	if (!lstat(path, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	    !(status.st_mode & 077))
		return 0;
	if (made)
		rmdir(path);
	return -1;
}

static int open_in(const struct rank_job *job, const char *name, int flags)
{
	struct strbuf path = STRBUF_INIT;
	int file;

	strbuf_printf(&path, "%s/%s", job->folder, name);
	file = open(strbuf_text(&path), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	strbuf_free(&path);
	return file;
}

static void remove_in(const struct rank_job *job, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_printf(&path, "%s/%s", job->folder, name);
	unlink(strbuf_text(&path));
	strbuf_free(&path);
}

/* Returns true if a living rank has locked the file. */
static bool is_locked(const struct rank_job *job, const char *name)
{
	int file = open_in(job, name, O_RDONLY);
	bool locked = file >= 0 && flock(file, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;

	if (file >= 0)
		close(file);
	return locked;
}

/* The lock under which ranks join, end and look: that of a file, which is removed last. Returns its
 * descriptor, or -1. `flags`: O_CREAT to join. */
static int enter(const struct rank_job *job, int flags)
{
	struct stat own, there;
	struct strbuf path = STRBUF_INIT;
	int file = -1;

	strbuf_printf(&path, "%s/all", job->folder);
	for (int try = 0; file < 0 && try < 100; try++) {
		if (flags && make_folder(job->folder))
			break;
		file = open_in(job, "all", O_RDWR | flags);
		if (file < 0 && (!flags || errno != ENOENT))
			break;
		/* The last rank may have removed it meanwhile. */
		if (file >= 0 && (flock(file, LOCK_EX) || fstat(file, &own) ||
				  stat(strbuf_text(&path), &there) || own.st_ino != there.st_ino)) {
			close(file);
			file = -1;
		}
	}
	strbuf_free(&path);
	return file;
}

/* Removes what ranks of an earlier job of this name have left, which were killed. */
static void clear(const struct rank_job *job)
{
	DIR *directory = opendir(job->folder);
	const struct dirent *entry;
	bool living = false;

	while (directory && (entry = readdir(directory)))
		living |= strstr(entry->d_name, ".lock") && is_locked(job, entry->d_name);
	if (directory && !living) {
		rewinddir(directory);
		while ((entry = readdir(directory)))
			if (strcmp(entry->d_name, "all") != 0)
				remove_in(job, entry->d_name);
	}
	if (directory)
		closedir(directory);
}

int rank_job_join(struct rank_job *job)
{
	const struct launcher *launcher;
	struct strbuf folder = STRBUF_INIT;
	char name[32];
	int all;

	*job = (struct rank_job){.lock = -1, .all = -1};
	launcher = find_launcher(job);
	if (!launcher || job->size < 2 || job->here < 2)
		return -1;
	put_folder(&folder, launcher);
	job->folder = strdup(strbuf_text(&folder));
	strbuf_free(&folder);
	all = job->folder ? enter(job, O_CREAT) : -1;
	snprintf(name, sizeof(name), "%llu.lock", (unsigned long long)job->rank);
	if (all >= 0 && !is_locked(job, name)) {
		struct stat status;
		struct strbuf path = STRBUF_INIT;

		strbuf_printf(&path, "%s/%s", job->folder, name);
		if (!stat(strbuf_text(&path), &status))
			clear(job);
		strbuf_free(&path);
		job->lock = open_in(job, name, O_RDWR | O_CREAT | O_EXCL);
	}
	if (job->lock >= 0 && flock(job->lock, LOCK_EX | LOCK_NB)) {
		remove_in(job, name);
		close(job->lock);
		job->lock = -1;
	}
	if (all >= 0)
		close(all);
	if (job->lock >= 0)
		return 0;
	free(job->folder);
	job->folder = NULL;
	return -1;
}

static void put_path(struct strbuf *to, const struct rank_job *job, uint64_t rank)
{
	strbuf_printf(to, "%s/%llu.json", job->folder, (unsigned long long)rank);
}

/* Another rank may look at any moment, so the file appears with all of its text. */
static void store(const struct rank_job *job, const struct strbuf *text, struct strbuf *error)
{
	struct strbuf part = STRBUF_INIT, path = STRBUF_INIT;
	char name[32];
	int file;
	bool failed;

	snprintf(name, sizeof(name), "%llu.part", (unsigned long long)job->rank);
	strbuf_printf(&part, "%s/%s", job->folder, name);
	put_path(&path, job, job->rank);
	unlink(strbuf_text(&path)); /* that of an earlier job */
	file = open_in(job, name, O_WRONLY | O_CREAT | O_TRUNC);
	failed = file < 0 || file_write(file, text->data, text->length) != text->length ||
		 rename(strbuf_text(&part), strbuf_text(&path));
	if (failed)
		strbuf_printf(error, "cannot write %s: %s", strbuf_text(&path), strerror(errno));
	if (file >= 0)
		close(file);
	if (failed)
		remove_in(job, name);
	strbuf_free(&part);
	strbuf_free(&path);
}

/* What the folder has. */
struct look {
	uint64_t joined;
	bool is_own_gone; /* another rank was the last one, and removed the files */
	bool is_waiting;  /* a rank still runs */
};

/* Returns true if the rank has stored its text, and appends its path as a line. */
static bool is_stored(const struct rank_job *job, uint64_t rank, struct strbuf *paths)
{
	struct strbuf path = STRBUF_INIT;
	bool is;

	put_path(&path, job, rank);
	is = !access(strbuf_text(&path), F_OK);
	if (is)
		strbuf_printf(paths, "%s\n", strbuf_text(&path));
	strbuf_free(&path);
	return is;
}

static struct look look(const struct rank_job *job, struct strbuf *paths)
{
	struct stat own;
	struct look look = {.is_own_gone = fstat(job->lock, &own) || !own.st_nlink};
	DIR *directory = opendir(job->folder);
	const struct dirent *entry;

	paths->length = 0;
	while (directory && (entry = readdir(directory))) {
		const char *end;
		uint64_t rank = number_read(entry->d_name, &end);

		if (end == entry->d_name || strcmp(end, ".lock") != 0)
			continue;
		look.joined++;
		look.is_waiting |= !is_stored(job, rank, paths) && rank != job->rank &&
				   is_locked(job, entry->d_name);
	}
	if (directory)
		closedir(directory);
	return look;
}

/* Returns as rank_job_end; 2: the others have not joined yet. */
static int try_end(struct rank_job *job, struct strbuf *paths)
{
	int all = enter(job, 0);
	struct look found;

	if (all < 0)
		return 0;
	found = look(job, paths);
	/* The last rank removes the files before it lets others in. */
	if (!found.is_own_gone && !found.is_waiting && found.joined >= job->here) {
		job->all = all;
		return 1;
	}
	/* Before others look: this rank may have stored no text. */
	if (found.is_own_gone || found.is_waiting)
		flock(job->lock, LOCK_UN);
	close(all);
	return found.is_own_gone || found.is_waiting ? 0 : 2;
}

int rank_job_end(struct rank_job *job, const struct strbuf *text, struct strbuf *paths,
		 struct strbuf *error)
{
	const struct timespec pace = {.tv_nsec = PACE * 1000000};
	int result;

	if (text)
		store(job, text, error);
	for (int waited = 0; (result = try_end(job, paths)) == 2; waited += PACE) {
		if (waited >= RANK_JOB_WAIT) {
			job->here = 0;
			continue;
		}
		nanosleep(&pace, NULL);
	}
	return result;
}

void rank_job_leave(struct rank_job *job, bool is_last)
{
	DIR *directory = is_last && job->folder ? opendir(job->folder) : NULL;
	const struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (strcmp(entry->d_name, "all") != 0)
			remove_in(job, entry->d_name);
	if (directory) {
		closedir(directory);
		remove_in(job, "all");
		rmdir(job->folder);
	}
	if (job->all >= 0)
		close(job->all);
	if (job->lock >= 0)
		close(job->lock);
	free(job->folder);
	job->folder = NULL;
	job->lock = job->all = -1;
}
