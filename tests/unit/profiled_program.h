/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PROFILED_PROGRAM_H
#define TESTS_PROFILED_PROGRAM_H

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/event.h"
#include "session/probe.h"
#include "session/recover.h"
#include "session/ringfile.h"
#include "session/session.h"
#include "settings/settings.h"

#include "folder.h"
#include "rows.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW_BUILD 1
#else
#define SLOW_BUILD 0
#endif

/*
 * A profiled program for the tests of the session: it runs in a forked child, since a process has
 * one session; its device is a fake that finishes commands as their handle says. Each record has a
 * serial number, which its row shows as memtransfersize and as gputime = serial % 1000 + 1 us.
 */
enum fake { FAKE_NONE, FAKE_DONE, FAKE_SLOW, FAKE_NEVER, FAKE_FAILED };

static _Atomic int releases;
static _Atomic uint64_t polled; /* serial number of the last polled record */

static int fake_poll(struct record *record)
{
	uint64_t begin = 1700000000000000000u + record->bytes;

	polled = record->bytes;
	switch ((enum fake)(record->handle & 7)) {
	case FAKE_NEVER:
		return 0;
	case FAKE_SLOW:
		record->handle -= 8;
		if (record->handle > 8)
			return 0;
		break;
	case FAKE_FAILED:
		record->frame.flags |= RECORD_FAILED;
		record->handle = 0;
		return 1;
	case FAKE_NONE:
	case FAKE_DONE:
		break;
	}
	record->queued = record->submitted = record->started = begin;
	record->ended = begin + (record->bytes % 1000 + 1) * 1000;
	record->known |= KNOWN_TIMES;
	record->handle = 0;
	return 1;
}

static void fake_release(struct record *record)
{
	(void)record;
	releases++;
}

static const struct source fake_source = {.poll = fake_poll, .release = fake_release};

static inline struct settings *new_settings(enum api api, const char *log)
{
	static struct settings settings[API_COUNT];
	uint32_t asked = 1u << COLUMN_ID_BYTES | 1u << COLUMN_ID_STREAM;

	settings[api] = (struct settings){
		.enabled = true,
		.layout = {.api = api, .columns = column_set(asked, api, DIALECT_CLASSIC)},
		.log = strdup(log),
		.ring = RING_BESIDE_LOG,
	};
	return &settings[api];
}

/* Attaches OpenCL with one device, 0, and one context, 0. */
static inline void start(struct settings *settings)
{
	if (session_attach(API_OPENCL, settings, &fake_source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		_exit(100);
}

/* The end of a call: makes its record if there is room. */
static inline void launched(struct probe *probe, uint32_t context, uint32_t stream, uint64_t serial,
			    uint64_t handle)
{
	struct record *record = probe_record(probe, FRAME_COPY);

	if (record) {
		record->context = context;
		record->stream = stream;
		record->bytes = serial;
		record->handle = handle;
		record->known = KNOWN_BYTES | KNOWN_STREAM;
		probe_commit();
	}
	probe_end(probe);
}

/* A call of the program, with its own stack frame, since probes recognize nested calls by their
 * address. */
__attribute__((noinline, unused)) static void launch_on(uint32_t context, uint32_t stream,
							uint64_t serial, uint64_t handle)
{
	struct probe probe;

	probe_begin(&probe);
	launched(&probe, context, stream, serial, handle);
}

static inline void launch(uint32_t stream, uint64_t serial, enum fake fake)
{
	launch_on(0, stream, serial, fake == FAKE_SLOW ? FAKE_SLOW + 8 * 3 : (uint64_t)fake);
}

/* A call that began at `enter` and made the command `made`. */
__attribute__((noinline, unused)) static void called(uint64_t enter, uint32_t number, uint64_t made)
{
	struct probe probe;
	struct call *call;

	probe_begin(&probe);
	call = (void *)probe_event(&probe, FRAME_CALL);
	if (call) {
		call->enter = enter;
		call->number = number;
		call->made = made;
		probe_commit();
	}
	probe_end(&probe);
}

/* The program starts an NVTX range. */
static inline void start_range(void)
{
	struct probe probe;
	struct mark *mark;

	probe_begin(&probe);
	mark = (void *)probe_event(&probe, FRAME_MARK);
	mark->enter = clock_monotonic();
	mark->frame.flags = MARK_START;
	probe_commit();
	probe_end(&probe);
}

/* Returns the status of `program`, run in a child; -1 for a signal. stderr goes to the file
 * "said". */
static inline int run(void (*program)(void))
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (!freopen("said", "a", stderr))
			_exit(101);
		program();
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child)
		return -1;
	if (status && WTERMSIG(status) != SIGKILL && system("sed 's/^/# /' said") == -1)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns the number of files in the working directory whose name ends in `end`. */
static inline int count_files(const char *end)
{
	char command[128], line[32] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "ls | grep -c '%s$'", end);
	pipe = popen(command, "r");
	if (!pipe || !fgets(line, sizeof(line), pipe))
		return -1;
	pclose(pipe);
	return atoi(line);
}

/* Returns the ring file in the working directory, "" if there is none. */
static inline const char *find_ring(void)
{
	static char path[256];
	glob_t found;

	path[0] = '\0';
	if (!glob("computeprof-*.ring", 0, NULL, &found))
		strcpy(path, found.gl_pathv[0]);
	globfree(&found);
	return path;
}

static inline enum recover_result recover(const char *path)
{
	struct recover_report report = {0};
	enum recover_result result = recover_ring(path, &report);

	recover_report_free(&report);
	return result;
}

/* Turns the ring file into one made by this user, in this boot and here. */
static inline void prove(const char *ring)
{
	struct ringfile_header header;
	struct stat status;
	int fd = open(ring, O_RDWR);

	assert_int_equal(pread(fd, &header, sizeof(header), 0), sizeof(header));
	assert_int_equal(fstat(fd, &status), 0);
	header.file_device = status.st_dev;
	header.file_inode = status.st_ino;
	header.file_born = identity_file_created(fd);
	header.owner = geteuid();
	boot_id_read(header.boot);
	assert_int_equal(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	close(fd);
}

/* Recovers the ring file of a run whose log now belongs to another run. Returns true if the log is
 * unchanged. */
static inline bool log_is_left_alone(void)
{
	size_t size = 0, size_after = 0;
	char *before = read_file("log", &size), *after;
	bool same = recover(find_ring()) == RECOVER_DONE;

	after = read_file("log", &size_after);
	same = same && before && after && size == size_after && !memcmp(before, after, size);
	free(before);
	free(after);
	return same;
}

/* Called between the parts of a test. */
static inline void clean_up(void)
{
	if (system("rm -f log* trace* computeprof-*.ring said"))
		_exit(102);
}

#endif
