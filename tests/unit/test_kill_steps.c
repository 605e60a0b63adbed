/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "session/overhead.h"
#include "session/ringfile.h"

#include "profiled_program.h"
#include "totals_check.h"

/*
 * A program is killed between any two of its instructions. It makes some records and writes them,
 * one instruction at a time. Whenever its files or its ring have changed, a copy of them is
 * recovered. So every state that a kill can leave is tested, and for a write every length at which
 * it may stop. The totals are those of the recovered trace each time. The program runs in the
 * folder "live"; the copies are in "dead". It runs again with a log, a trace or an API log that
 * cannot grow after its first rows, or not at all: then each row is in the recovered file or
 * counted as lost, once.
 */
enum { FIRST = 3, MORE = 4, ALL = FIRST + 2 * MORE };
enum { RING_LIMIT = 16 << 20 }; /* limit in bytes; the file grows during the test */

static struct progress {
	_Atomic uint64_t begun;
	_Atomic uint64_t committed;
	_Atomic bool full; /* the file `limited` has only `space` left */
} *progress;

/* The files that a kill would leave, after the last instruction that changed them. */
static struct file_copy {
	char *bytes; /* NULL before the file exists */
	size_t size;
} ring, logged, traced, listed;

/* There is no writer: the program's own thread does its work, where it can be traced. */
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*function)(void *),
		   void *argument)
{
	(void)thread;
	(void)how;
	(void)function;
	(void)argument;
	return EAGAIN;
}

/* From the second time on that rows are written, or from the first, this file has space for this
 * number of bytes. -1: it has enough. */
static const char *limited = "log";
static int space = -1;
static bool from_first;

static bool is_limited(const char *name)
{
	return space >= 0 && !strcmp(limited, name);
}

static bool has_api_log(void)
{
	return space < 0 || is_limited("calls");
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	struct stat written, file;
	size_t fits = size;

	if (progress->full && !fstat(fd, &written) && !stat(limited, &file) &&
	    written.st_ino == file.st_ino) {
		fits = (size_t)space < size ? (size_t)space : size;
		space -= (int)fits;
		if (!fits) {
			errno = ENOSPC;
			return -1;
		}
	}
	return syscall(SYS_write, fd, bytes, fits);
}

static void launch_some(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t serial = progress->begun++;

		launch(0, serial, FAKE_DONE);
		called(clock_monotonic(), 1, 0);
		progress->committed++;
	}
}

static void write_out(void)
{
	usleep(2000); /* by then no earlier record can come, for any round */
	session_write_ended(NULL, NULL);
}

/* It is traced from its first records on, before there is a log. */
static void program(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	if (has_api_log())
		settings->api_log = strdup("calls");
	settings->api_calls = settings->totals = true;
	if (chdir("live"))
		_exit(1);
	start(settings);
	if (space >= 0)
		overhead_attach(API_OPENCL, false); /* no events but those that are counted */
	launch_some(FIRST);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	raise(SIGSTOP);
	progress->full = space >= 0 && from_first;
	write_out();
	launch_some(MORE);
	progress->full = space >= 0;
	write_out();
	launch_some(MORE);
	write_out();
	_exit(0);
}

static void take(struct file_copy *copy, const char *path)
{
	free(copy->bytes);
	copy->size = 0;
	copy->bytes = read_file(path, &copy->size);
}

static void put(const char *path, const char *bytes, size_t size)
{
	FILE *stream;

	unlink(path);
	if (!bytes)
		return;
	stream = fopen(path, "w");
	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
}

/*
 * As memmem() in the ring from `at` on, but looks for a byte that is not 0 first: most bytes of the
 * ring are 0, and it is searched several times for each copy.
 */
static char *find(char *at, const char *bytes, size_t size)
{
	const char *end = ring.bytes + ring.size;
	size_t first = 0;

	while (!bytes[first])
		first++;
	while ((size_t)(end - at) >= size) {
		char *found = memchr(at + first, bytes[first], (size_t)(end - at) - size + 1);

		if (!found || !memcmp(found - first, bytes, size))
			return found ? found - first : NULL;
		at = found - first + 1;
	}
	return NULL;
}

static void replace(const void *from, const void *to, size_t size)
{
	char *at = ring.bytes;

	while ((at = find(at, from, size)))
		memcpy(at, to, size);
}

/* The file's identity in a LOG or TRACE frame: device and inode. */
static void identify(const char *path, uint64_t numbers[2])
{
	struct stat status = {0};

	stat(path, &status);
	numbers[0] = status.st_dev;
	numbers[1] = status.st_ino;
}

enum { FILES = 3 };

static const char *const names[FILES][2] = {
	{"live/log", "dead/log"}, {"live/trace", "dead/trace"}, {"live/calls", "dead/calls"}};

/* Replaces the identities of one folder's files by those of the other's. */
static void swap_files(int from)
{
	for (int i = 0; i < FILES; i++) {
		uint64_t numbers[2][2];

		identify(names[i][0], numbers[0]);
		identify(names[i][1], numbers[1]);
		if (numbers[0][1] && numbers[1][1])
			replace(numbers[from], numbers[!from], sizeof(numbers[from]));
	}
}

/* Writes the ring as that of a dead process whose files are in the other folder. */
static void put_ring(void)
{
	struct ringfile_header *header = (struct ringfile_header *)(void *)ring.bytes;
	uint64_t start = header->process_start;

	header->process_start = 0;
	replace("/live/", "/dead/", 6);
	swap_files(0);
	put("dead/computeprof-1.ring", ring.bytes, ring.size);
	prove("dead/computeprof-1.ring");
	swap_files(1);
	replace("/dead/", "/live/", 6);
	header->process_start = start;
}

static void check_rows(const struct rows *rows)
{
	for (uint64_t i = 0; i < ALL; i++)
		assert_in_range(rows->seen[i], i < progress->committed, i < progress->begun);
	free(rows->seen);
}

/* Each row is there once, or lost. */
static void check_lost_rows(const struct rows *rows, uint64_t lost)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i < ALL; i++) {
		assert_in_range(rows->seen[i], 0, i < progress->begun);
		count += rows->seen[i];
	}
	assert_in_range(count + lost, progress->committed, progress->begun);
	free(rows->seen);
}

/* Each record and each call is in the trace once, or lost. */
static void check_trace_and_lost(const char *path)
{
	struct rows rows, calls;
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open(path, &error);
	const struct record *record;
	uint64_t lost, events;

	assert_non_null(reader);
	while (trace_next(reader, &record, &error) == 1)
		;
	assert_int_equal(trace_cut(reader), TRACE_WHOLE);
	events = trace_lost_events(reader);
	lost = trace_lost(reader) - events;
	trace_close(reader);
	strbuf_free(&error);
	assert_int_equal(read_trace(path, &rows, ALL), 0);
	check_lost_rows(&rows, lost);
	assert_int_equal(read_calls(path, &calls, ALL), 0);
	assert_in_range((uint64_t)calls.count + events, progress->committed, progress->begun);
	free(calls.seen);
}

static int count_files_in(const char *path)
{
	DIR *stream = opendir(path);
	const struct dirent *entry;
	int count = 0;

	assert_non_null(stream);
	while ((entry = readdir(stream)))
		count += entry->d_name[0] != '.';
	closedir(stream);
	return count;
}

/* The API log has each call once, or it is lost. A call is made between the two counts. */
static void check_calls(uint64_t lost)
{
	static const char key[] = "correlation=[ ", header[] = "# OPENCL_PROFILE_API_LOG_VERSION";
	uint64_t found[ALL + 1], count = 0;
	size_t size = 0;
	char *text = read_file("dead/calls", &size);

	assert_non_null(text);
	assert_memory_equal(text, header, sizeof(header) - 1);
	for (char *line = text, *end; (end = memchr(line, '\n', (size_t)(text + size - line)));
	     line = end + 1) {
		char *at = memmem(line, (size_t)(end - line), key, sizeof(key) - 1);

		if (!at)
			continue;
		assert_in_range(count, 0, ALL - 1);
		found[count] = strtoull(at + sizeof(key) - 1, NULL, 10);
		for (uint64_t i = 0; i < count; i++)
			assert_int_not_equal(found[i], found[count]);
		count++;
	}
	assert_true(text[size - 1] == '\n');
	assert_in_range(count + lost, progress->committed, progress->begun);
	free(text);
}

/* Recovers a copy as if the process were killed now, with `length` bytes of its log and
 * `calls_length` of its API log written. */
static void recover_copy(size_t length, size_t calls_length)
{
	struct recover_report report = {0};
	struct rows rows;

	put("dead/log", logged.bytes, length);
	put("dead/trace", traced.bytes, traced.size);
	put("dead/calls", listed.bytes, calls_length);
	put_ring();
	assert_int_equal(recover_ring("dead/computeprof-1.ring", &report), RECOVER_DONE);
	if (read_rows("dead/log", &rows, ALL)) {
		print_message("# %zu bytes of %zu were there:\n", length, logged.size);
		if (!system("ls -l dead; head -n 99 dead/log* | sed 's/^/# /'"))
			fail_msg("this is no log");
	}
	if (is_limited("log"))
		check_lost_rows(&rows, report.lost);
	else
		check_rows(&rows);
	if (is_limited("trace")) {
		check_trace_and_lost("dead/trace");
	} else {
		assert_int_equal(read_trace("dead/trace", &rows, ALL), 0);
		check_rows(&rows);
	}
	if (has_api_log())
		check_calls(report.lost_calls);
	/* no other log, and no ring */
	assert_int_equal(count_files_in("dead"), has_api_log() ? FILES : FILES - 1);
	if (!is_limited("trace"))
		assert_int_equal(compare_sums(&report.totals, "dead/trace"), 0);
	recover_report_free(&report);
}

struct seen {
	const char *ring; /* mapped */
	uint64_t steps, states, lengths;
};

static size_t size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : (size_t)status.st_size;
}

static void look(struct seen *seen, const char *path)
{
	size_t size = size_of("live/log"), calls_size = size_of("live/calls");
	/* The first state has files of unseen steps; with a limited trace, their writes are those
	 * of the first test. */
	bool whole = is_limited("trace") || (!seen->states && space >= 0);
	size_t before = whole ? size : logged.size;
	size_t calls_before = whole ? calls_size : listed.size;
	bool wrote = size != logged.size || size_of("live/trace") != traced.size ||
		     calls_size != listed.size;

	if (size_of(path) != ring.size)
		take(&ring, path);
	else if (!wrote && !memcmp(seen->ring, ring.bytes, ring.size))
		return;
	memcpy(ring.bytes, seen->ring, ring.size);
	take(&logged, "live/log");
	take(&traced, "live/trace");
	take(&listed, "live/calls");
	for (size_t length = before; length < size; length++, seen->lengths++)
		recover_copy(length, calls_size);
	for (size_t length = calls_before; length < calls_size; length++, seen->lengths++)
		recover_copy(size, length);
	recover_copy(size, calls_size);
	seen->states++;
}

/* Runs the program, and recovers each state. */
static void kill_at_each_step(void)
{
	const char *level = getenv("COMPUTEPROF_TEST_LEVEL");
	struct seen seen = {0};
	int status, fd;
	pid_t child;
	char path[64];

	if (level && !strcmp(level, "quick"))
		skip(); /* it takes a minute */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	skip(); /* most steps would be in the sanitizer's own code */
#endif
	assert_int_equal(mkdir("live", 0700) | mkdir("dead", 0700), 0);
	child = fork();
	if (!child)
		program();
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_true(WIFSTOPPED(status));
	snprintf(path, sizeof(path), "live/computeprof-%d.ring", (int)child);
	take(&ring, path);
	assert_non_null(ring.bytes);
	assert_int_not_equal(access("live/log", F_OK), 0);
	fd = open(path, O_RDONLY);
	seen.ring = mmap(NULL, RING_LIMIT, PROT_READ, MAP_SHARED, fd, 0);
	assert_true(seen.ring != MAP_FAILED);
	for (; WIFSTOPPED(status); seen.steps++) {
		if (space < 0 || progress->full)
			look(&seen, path);
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, child, NULL, NULL), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
	}
	assert_int_equal(status, 0);
	assert_int_equal(progress->committed, ALL);
	print_message("# %llu instructions, %llu states, %llu lengths\n",
		      (unsigned long long)seen.steps, (unsigned long long)seen.states,
		      (unsigned long long)seen.lengths);
	assert_in_range(seen.states, ALL, seen.steps);
	close(fd);
}

static struct limit {
	const char *test;
	const char *file;
	int bytes;
	bool from_first;
} limits[] = {
	{"test_kill_steps", "log", -1, false},
	{"test_kill_steps_of_a_full_log", "log", 0, false},
	{"test_kill_steps_of_a_log_with_little_space", "log", 150, false},
	{"test_kill_steps_of_a_full_trace", "trace", 0, false},
	{"test_kill_steps_of_a_trace_with_little_space", "trace", 300, false},
	{"test_kill_steps_of_an_empty_trace", "trace", 0, true},
	{"test_kill_steps_of_a_full_api_log", "calls", 0, false},
	{"test_kill_steps_of_an_api_log_with_little_space", "calls", 150, false},
};

enum { TESTS = sizeof(limits) / sizeof(*limits) };

static void kill_with_limit(void **state)
{
	const struct limit *limit = *state;

	memset(progress, 0, sizeof(*progress));
	limited = limit->file;
	space = limit->bytes;
	from_first = limit->from_first;
	kill_at_each_step();
}

static int group_set_up(void **state)
{
	(void)state;
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return progress == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	struct CMUnitTest tests[TESTS];

	for (int i = 0; i < TESTS; i++)
		tests[i] = (struct CMUnitTest){limits[i].test, kill_with_limit, set_up, tear_down,
					       &limits[i]};
	return cmocka_run_group_tests(tests, group_set_up, NULL);
}
