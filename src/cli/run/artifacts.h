/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_ARTIFACTS_H
#define CLI_RUN_ARTIFACTS_H

#include <stdbool.h>

#include "base/map.h"
#include "base/strbuf.h"

/*
 * What the profiled processes say they write: each appends lines "log PATH", "trace PATH" and
 * "ring PATH" to the file that COMPUTEPROF_MANIFEST names; and "waits -", "asked -", "lost -" and
 * "missing COUNTS".
 */
struct artifacts {
	char *path;  /* ours, or NULL: then nothing will be known */
	char *outer; /* that of a computeprof around this one, or NULL */
	bool has_folder; /* `path` lies in a folder of its own, beside a file for other users */
};

/* Distinct paths, one a line (base/pathlist.h). */
struct artifact_lists {
	struct strbuf logs;
	struct strbuf traces;
	struct strbuf rings;
	struct strbuf waits; /* not empty: a process was not to be recorded until it asks for it */
	struct strbuf asked; /* not empty: a process has asked for it */
	bool cut;    /* a process could not write its lines */
	bool unread; /* a list of files was not there or could not be read */
	bool others; /* a process of another user has said something */
	struct strbuf rings_of_others; /* not checked in any way */
	struct strbuf losses; /* not empty: a process has lost records, and said so */
	struct strbuf missing; /* of processes without a trace: "PID STARTED RECORDS EVENTS", where
				  a later line of a process is true for it */
	struct strbuf unrecovered; /* process ids of ring files that were not recovered, 0 where
				      that is not known, which was said */
	struct map seen; /* for lines_add_new */
};

/* Whether another computeprof around this one waits for the lists. */
bool artifacts_are_others(void);

/* Makes the file and sets the variable. Without a place for it: one sentence, no file. */
void artifacts_open(struct artifacts *artifacts);

/* Reads the file. `lists` starts zeroed. */
void artifacts_read(struct artifacts *artifacts, struct artifact_lists *lists);

/* Removes the file. Recovery still looks there for what is of this run, and adds to it. */
void artifacts_remove(struct artifacts *artifacts);

/* Whether other users can reach the folder in which the file is, or was. */
bool artifacts_reach_others(const struct artifacts *artifacts);

/* Hands all lists on to the computeprof around this one. False if there is none. */
bool artifacts_hand_on(const struct artifacts *artifacts, const struct artifact_lists *lists);

void artifacts_free(struct artifacts *artifacts, struct artifact_lists *lists);

/* Appends `line` and a newline to `list`, one of `lists`, unless it has that line. */
void artifacts_add(struct artifact_lists *lists, struct strbuf *list, const char *line,
		   size_t length);

#endif
