/* SPDX-License-Identifier: MIT */
#ifndef CLI_TAIL_TAIL_PROCESS_H
#define CLI_TAIL_TAIL_PROCESS_H

#include "session/ringfile_live.h"

/* The logs of running processes, by their ring files. */
struct tail_ring {
	char *path;
	struct ringfile_live file; /* stays open: a process that ends removes it after the last
				      frames */
	struct ringfile_live_segment frames; /* that are read next; size 0: none yet */
};

struct tail_processes {
	uint32_t pid;	/* the only process, or 0: all of this user */
	uint64_t start; /* of this process, as identity_process_start */
	struct tail_ring *rings;
	size_t count;
	unsigned looks;
	bool failed; /* out of memory, after a message: logs may be missing */
};

/* Gets the path of a log, valid during the call, and the ring file that names it. */
typedef void tail_take_log(void *argument, const struct tail_ring *ring, const char *log);

/* Finds the process. Returns 0, or -1 after a message if there is no such process of this user. */
int tail_processes_init(struct tail_processes *processes, uint64_t pid);
void tail_processes_free(struct tail_processes *processes);

/* Looks for new ring files, and calls `take` for each log that was opened since the last call. If
 * all processes are followed, those that have ended are removed from the list. */
void tail_processes_look(struct tail_processes *processes, tail_take_log *take, void *argument);

/* Returns true if this process runs. */
bool tail_process_runs(uint32_t pid, uint64_t start);

/* Returns true if the process, or one of those found, runs. */
bool tail_processes_run(const struct tail_processes *processes);

/* Returns true if a process that has ended left its ring file: it was killed, and the file may have
 * rows that are not in its logs. */
bool tail_processes_left(const struct tail_processes *processes);

#endif
