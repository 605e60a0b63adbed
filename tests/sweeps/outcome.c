/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/tracereader.h"
#include "session/identity.h"
#include "session/recover.h"
#include "session/ringfile.h"

#include "sweep.h"

enum { PATIENCE = 30 /* s after which a run hangs */ };

static void read_file(const char *path, struct strbuf *to)
{
	FILE *stream = fopen(path, "r");
	char bytes[4096];
	size_t size;

	while (stream && (size = fread(bytes, 1, sizeof(bytes), stream)))
		strbuf_append(to, bytes, size);
	if (stream)
		fclose(stream);
	strbuf_text(to);
}

static void start(char **program, const char *preload)
{
	if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr) || chdir("run"))
		_exit(126);
	if (preload)
		setenv("LD_PRELOAD", preload, 1);
	alarm(PATIENCE);
	execvp(program[0], program);
	_exit(127);
}

/* An earlier process with the same id may have left a ring file, too. */
static bool is_of_other_process(const char *path, uint64_t start)
{
	struct ringfile_header header;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool whole = fd >= 0 && pread(fd, &header, sizeof(header), 0) == sizeof(header);

	if (fd >= 0)
		close(fd);
	return whole && header.process_start && header.process_start != start;
}

/* Recovers the ring file of the process that began at `start`, if one is left, in any place. */
static void recover(struct outcome *outcome, uint64_t start)
{
	struct recover_report report = {0};
	char patterns[2][64];
	glob_t found;

	snprintf(patterns[0], sizeof(*patterns), "run/computeprof-%u[-.]*ring", outcome->pid);
	snprintf(patterns[1], sizeof(*patterns), "/dev/shm/computeprof-%u[-.]*ring", outcome->pid);
	glob(patterns[0], 0, NULL, &found);
	glob(patterns[1], GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		enum recover_result result;

		if (is_of_other_process(found.gl_pathv[i], start))
			continue;
		result = recover_ring(found.gl_pathv[i], &report);
		/* A ring file without a complete header has nothing to recover. */
		if (result != RECOVER_DONE && result != RECOVER_FOREIGN)
			strbuf_printf(&outcome->wrong, "not recovered: %s\n",
				      strbuf_text(&report.reason));
		unlink(found.gl_pathv[i]);
	}
	globfree(&found);
	recover_report_free(&report);
}

/* Removes the value of `key`, if the row has it. */
static void mask(char *row, const char *key)
{
	char *at = strstr(row, key), *end = at ? strstr(at, " ] ") : NULL;

	if (end)
		memmove(at + strlen(key), end, strlen(end) + 1);
}

static void take_row(struct outcome *outcome, char *line)
{
	if (!strncmp(line, "# ", 2) || !strncmp(line, "NV_Error: ", 10) ||
	    !strncmp(line, "timestamp,", 10) || !strncmp(line, "method,", 7))
		return;
	mask(line, "timestamp=[ ");
	mask(line, "cputime=[ ");
	outcome->rows = realloc(outcome->rows, (outcome->row_count + 1) * sizeof(char *));
	outcome->rows[outcome->row_count++] = strdup(line);
}

static int compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void read_logs(struct outcome *outcome)
{
	struct strbuf log = STRBUF_INIT;
	glob_t found;
	char *rest;

	glob("run/*.log", 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		log.length = 0;
		read_file(found.gl_pathv[i], &log);
		if (log.length && log.data[log.length - 1] != '\n')
			strbuf_printf(&outcome->wrong, "%s: the last line has no end\n",
				      found.gl_pathv[i]);
		for (char *line = strtok_r(log.data, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			take_row(outcome, line);
	}
	globfree(&found);
	strbuf_free(&log);
	if (outcome->row_count)
		qsort(outcome->rows, outcome->row_count, sizeof(char *), compare);
}

static void read_trace(struct outcome *outcome, const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open(path, &error);
	const struct record *record;
	uint64_t before = 0;

	while (reader && trace_next(reader, &record, &error) == 1) {
		outcome->traced++;
		if (record->enter < before)
			strbuf_string(&outcome->wrong, "the trace is out of order\n");
		before = record->enter;
	}
	if (reader && error.length)
		strbuf_printf(&outcome->wrong, "trace: %s\n", strbuf_text(&error));
	trace_close(reader);
	strbuf_free(&error);
}

/* The log has another name if the first one seemed to be in use. */
static void read_traces(struct outcome *outcome)
{
	glob_t found;

	glob("run/trace*", 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_trace(outcome, found.gl_pathv[i]);
	globfree(&found);
}

/* Returns the sum of the numbers before all occurrences of `sentence` in the text. */
static uint64_t numbers_before(const char *text, const char *sentence)
{
	uint64_t sum = 0;

	for (const char *at = text; (at = strstr(at, sentence)); at++) {
		const char *digit = at;

		while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
			digit--;
		sum += strtoull(digit, NULL, 10);
	}
	return sum;
}

static void read_said(struct outcome *outcome)
{
	const char *said = outcome->said.data;

	outcome->untimed = numbers_before(said, " records have no gputime") +
			   numbers_before(said, " record has no gputime");
	outcome->lost = numbers_before(said, " records were lost") +
			numbers_before(said, " record was lost");
	outcome->untraced = numbers_before(said, " records are missing in the trace") +
			    numbers_before(said, " record is missing in the trace");
	outcome->poor = strstr(said, "out of memory: the program runs without the profiler");
	outcome->off = outcome->poor || strstr(said, " cannot be used: ") ||
		       strstr(said, "; nothing is logged");
}

/* Makes an empty folder "run". */
static void make_folder(void)
{
	DIR *folder;

	if (mkdir("run", 0777) && errno != EEXIST)
		exit(EXIT_FAILURE);
	folder = opendir("run");
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    unlinkat(dirfd(folder), entry->d_name, 0))
			exit(EXIT_FAILURE);
	if (!folder)
		exit(EXIT_FAILURE);
	closedir(folder);
}

void outcome_of_run(struct outcome *outcome, char **program, const char *preload)
{
	uint64_t begun;
	pid_t child;

	*outcome = (struct outcome){0};
	make_folder();
	fflush(NULL);
	child = fork();
	if (!child)
		start(program, preload);
	begun = identity_process_start((uint32_t)child);
	if (waitpid(child, &outcome->status, 0) != child)
		exit(EXIT_FAILURE);
	outcome->pid = (uint32_t)child;
	recover(outcome, begun);
	read_file("out", &outcome->out);
	read_file("err", &outcome->said);
	read_said(outcome);
	read_logs(outcome);
	read_traces(outcome);
}

void outcome_free(struct outcome *outcome)
{
	for (uint64_t i = 0; i < outcome->row_count; i++)
		free(outcome->rows[i]);
	free(outcome->rows);
	strbuf_free(&outcome->out);
	strbuf_free(&outcome->said);
	strbuf_free(&outcome->wrong);
}

/* Returns true if the row lacks values for lack of memory, or with a message. */
static bool is_poor(const struct outcome *outcome, const char *row)
{
	size_t length = strlen(row);

	if (strstr(row, "method=[ unknown_kernel ]") ||
	    (outcome->untimed && !strstr(row, " gputime=[ ")))
		return true;
	/* If the call is unknown, a CUDA row has only the data of the device. Streams that were not
	 * stored at first have other numbers. The row must be complete nevertheless. */
	return outcome->poor && strstr(row, " streamid=[ ") && strstr(row, "method=[ ") &&
	       !strcmp(row + length - 3, " ] ");
}

/* Returns a row that the reference lacks or has less often; NULL if there is none. */
static const char *strange_row(const struct outcome *outcome, const struct outcome *reference)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < outcome->row_count; i++) {
		if (is_poor(outcome, outcome->rows[i]))
			continue;
		while (at < reference->row_count &&
		       strcmp(reference->rows[at], outcome->rows[i]) < 0)
			at++;
		if (at == reference->row_count ||
		    strcmp(reference->rows[at], outcome->rows[i]) != 0)
			return outcome->rows[i];
		at++;
	}
	return NULL;
}

static uint64_t count_untimed(const struct outcome *outcome)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i < outcome->row_count; i++)
		count += !strstr(outcome->rows[i], " gputime=[ ");
	return count;
}

bool outcome_is_wrong(const struct outcome *outcome, const struct outcome *reference,
		      const char *what)
{
	uint64_t produced = reference->row_count;
	const char *strange = strange_row(outcome, reference);
	struct strbuf wrong = STRBUF_INIT;
	bool is;

	strbuf_append(&wrong, outcome->wrong.data, outcome->wrong.length);
	if (outcome->status != reference->status)
		strbuf_printf(&wrong, "status %x instead of %x\n", (unsigned)outcome->status,
			      (unsigned)reference->status);
	if (strcmp(outcome->out.data, reference->out.data) != 0)
		strbuf_string(&wrong, "the program printed something else\n");
	if (strange)
		strbuf_printf(&wrong, "doubled, torn or strange: %s\n", strange);
	if (outcome->untimed != count_untimed(outcome))
		strbuf_printf(&wrong, "%llu rows have no gputime\n",
			      (unsigned long long)count_untimed(outcome));
	if (outcome->row_count + outcome->lost != produced &&
	    !(outcome->off && !outcome->row_count))
		strbuf_printf(&wrong, "%llu rows and %llu lost of %llu\n",
			      (unsigned long long)outcome->row_count,
			      (unsigned long long)outcome->lost, (unsigned long long)produced);
	/* Records that the log lacks may be in the trace. */
	if ((outcome->traced + outcome->untraced > reference->traced ||
	     outcome->traced + outcome->untraced + outcome->lost < reference->traced) &&
	    !outcome->off)
		strbuf_printf(&wrong, "%llu traced and %llu not of %llu\n",
			      (unsigned long long)outcome->traced,
			      (unsigned long long)outcome->untraced,
			      (unsigned long long)reference->traced);
	is = wrong.length != 0;
	if (is)
		printf("%s:\n%s%s", what, strbuf_text(&wrong), outcome->said.data);
	strbuf_free(&wrong);
	return is;
}
