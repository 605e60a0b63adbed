/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PFLOG_FILES_H
#define SESSION_PFLOG_FILES_H

#include "base/filethread.h"
#include "base/strbuf.h"
#include "session/linefile.h"

/*
 * The files of the metrics logs, which the file thread writes. The first write makes the directory
 * and opens timeline.log, which stays open and locked: another process that finds it locked, and a
 * forked child, put their process id into the names of all files; so does a process that finds a
 * file of one of the names that is not from an earlier run, unless it may overwrite any file
 * (computeprof -f). metrics.log and metrics.prom are replaced as a whole.
 */
enum pflog_file { PFLOG_TIMELINE, PFLOG_METRICS, PFLOG_PROMETHEUS, PFLOG_FILES };

enum { PFLOG_PATH = 4096 };

/* A write of all files. Between pflog_files_write and its return of true only the file thread may
 * use it. */
struct pflog_job {
	struct file_job job;
	uint32_t pid;
	bool tagged; /* the names have the process id from the start */
	struct strbuf text[PFLOG_FILES]; /* timeline: to append. Empty: that file is not written */
	char directory[PFLOG_PATH]; /* absolute */
	char tag[32]; /* that the names have before their extension: "", ".PID", ".PID.NUMBER" */
	struct linefile timeline;
	/* results */
	size_t done; /* bytes of the timeline's text that are in the file, whole lines */
	int errors[PFLOG_FILES]; /* errno, 0: written. With an error of the timeline before it is
				  * open, nothing is written */
	bool opened;  /* the timeline is open, or was once */
	bool renamed; /* the first names were taken: */
	enum pflog_file taken; /* that of this file */
	char path[PFLOG_PATH]; /* scratch */
	char other[PFLOG_PATH];
};

/* Returns false while a file system does not respond: call again with the same contents. If the job
 * is not in progress then (filethread_is_sent), the contents may be changed before. */
bool pflog_files_write(struct pflog_job *write);

/* Writes the path of a file to `to` of PFLOG_PATH bytes, with this tag. Returns -1 if it does not
 * fit. */
int pflog_files_path(const struct pflog_job *write, enum pflog_file file, const char *tag,
		     char *to);

#endif
