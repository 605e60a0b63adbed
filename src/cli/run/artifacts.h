/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_ARTIFACTS_H
#define CLI_RUN_ARTIFACTS_H

#include <stdbool.h>

#include "base/map.h"
#include "base/strbuf.h"

/*
 * The list of the files that the profiled processes write. Each process appends lines to the file
 * named by COMPUTEPROF_MANIFEST: "log PATH", "trace PATH", "calls PATH" (an API log), "events PATH"
 * (an event stream), "metrics DIRECTORY" (of metrics logs) and "ring PATH"; also "replaced PATH"
 * (of one of these files that was removed or moved, so that PATH may name another file), "waits -",
 * "asked -", "lost -", "missing COUNTS", "unwritten ERRNO" (of a trace that stays empty), "memory
 * SESSION" (one without a ring file), "begun SESSION PATH" (one with this ring file), "ended
 * SESSION", and "kept SESSION" (ended, and the ring file stays for its totals). A SESSION is "PID
 * STARTED NUMBER". "told WHERE PID TEXT" is a message of a process (session/tell.h).
 */
struct artifacts {
	char *path;  /* path of the list, or NULL if it could not be made */
	char *outer; /* path of the list of an enclosing computeprof, or NULL */
	bool has_folder; /* `path` is in its own folder, beside a file for other users */
	int lock;	 /* the open list, locked until artifacts_remove; or -1 */
};

/* Distinct paths, one per line (base/pathlist.h). */
struct artifact_lists {
	struct strbuf logs;
	struct strbuf traces;
	struct strbuf api_logs;
	struct strbuf events;  /* event streams */
	struct strbuf metrics; /* directories of metrics logs */
	struct strbuf rings;
	struct strbuf replaced; /* of these, files that were removed or moved */
	struct strbuf waits; /* not empty: a process was started with recording off */
	struct strbuf asked; /* not empty: a process has switched recording on */
	bool finished; /* the program's ring file was recovered */
	bool cut;    /* a process could not write its lines */
	bool unread; /* a list of files did not exist or could not be read */
	unsigned remaining; /* number of the run's processes that still run */
	bool others; /* a process of another user has written a line */
	struct strbuf rings_of_others; /* not checked in any way */
	struct strbuf losses; /* not empty: a process has reported lost records */
	struct strbuf told;   /* messages about losses: "WHERE PID TEXT" (session/tell.h) */
	struct strbuf missing; /* of processes without a trace: "PID STARTED RECORDS EVENTS"; the
				  last line of a process is valid */
	struct strbuf unwritten; /* why traces stay empty: distinct values of errno */
	struct strbuf memory; /* of processes without a ring file: "PID STARTED NUMBER" */
	struct strbuf begun; /* of processes with a ring file: "PID STARTED NUMBER PATH" */
	struct strbuf ended; /* those of `memory` and `begun` that have written all rows */
	struct strbuf kept;  /* likewise, and their ring files stay */
	struct strbuf found; /* ring files that existed: "STARTED PATH", or "0 PATH" */
	struct strbuf gone;  /* as `missing`, with counts of 0: those of `begun` whose ring files do
				not exist, although the tool needs them */
	struct strbuf unrecovered; /* process ids of ring files that were not recovered or not
				      complete, after a message; 0: unknown */
	struct strbuf ungrown; /* process ids of ring files that could not grow: not all records may
				  be in their totals */
	struct strbuf totals; /* running totals of ended processes: paths of files in memory
				 (cli/run/memory_file.h), each a trace */
	struct strbuf whole;  /* process ids of those that could not keep totals and have written a
				 whole trace */
	struct strbuf live;   /* likewise of processes that still run */
	struct map seen; /* for lines_add_new */
};

/* Returns true if an enclosing computeprof expects the lists. */
bool artifacts_are_others(void);

/* Makes the file and sets the variable. On failure it prints one message and sets neither. */
void artifacts_open(struct artifacts *artifacts);

/* Reads the file. `lists` starts zeroed. */
void artifacts_read(struct artifacts *artifacts, struct artifact_lists *lists);

/* Reads the lines "ended" and "kept" again. */
void artifacts_read_ended(const struct artifacts *artifacts, struct artifact_lists *lists);

/* Removes the file. Recovery still uses its path to find and list the files of this run. */
void artifacts_remove(struct artifacts *artifacts);

/* Returns true if other users can reach the folder of the file, even after its removal. */
bool artifacts_reach_others(const struct artifacts *artifacts);

/* Makes a file in memory of the totals, which are a whole trace, and adds its path to `list`, a
 * member of struct artifact_lists. */
void artifacts_add_totals(struct strbuf *list, const struct strbuf *totals);

/* Appends all lists to the list of the enclosing computeprof. Returns false without one or on an
 * error. */
bool artifacts_forward(const struct artifacts *artifacts, struct artifact_lists *lists);

void artifacts_free(struct artifacts *artifacts, struct artifact_lists *lists);

/* Appends `line` and a newline to `list`, one of `lists`, unless it has that line. */
void artifacts_add(struct artifact_lists *lists, struct strbuf *list, const char *line,
		   size_t length);

#endif
