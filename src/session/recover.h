/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RECOVER_H
#define SESSION_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * Finishes the logs of a program that was killed. A ring file (NAME.ring) has the records of a
 * profiled process that are not written yet; a clean exit removes it.
 */
enum recover_result {
	RECOVER_DONE,  /* the logs are complete and the ring file was removed, unless `left` */
	RECOVER_ALIVE, /* the process still runs, or another process holds the file: nothing was
			  changed */
	RECOVER_FOREIGN, /* not a ring file, of another user or format, or unproven (see below):
			    nothing was changed */
	RECOVER_FAILED,  /* a log could not be written: the ring file is kept */
	RECOVER_ELSEWHERE, /* not selected by logs_in: no log was changed */
};

struct logs_overwrite;

struct recover_report {
	uint64_t rows;    /* rows added to the logs */
	uint64_t calls;   /* rows added to the API logs */
	uint64_t untimed; /* number of these rows, and of those that could not be written, that have
			     no gputime */
	uint64_t lost;    /* records that the process had dropped */
	uint64_t lost_calls; /* calls that it could not write to an API log */
	struct strbuf logs; /* paths of the logs, one per line (base/pathlist.h) */
	struct strbuf api_logs; /* those of the API logs */
	struct strbuf traces; /* path of the trace */
	struct strbuf totals; /* the running totals as a trace (session/totals_report.h); empty if
				 the process did not keep them, or without memory */
	struct strbuf reason; /* one sentence, for ALIVE, FOREIGN and FAILED */
	uint32_t pid; /* of the process; 0: unknown */
	uint32_t rank; /* as in struct process */
	uint64_t started; /* as in struct process; 0: unknown */
	bool executing; /* the process was not killed, but executed another program */
	bool finished; /* DONE: the process had ended normally and left only the ring file */
	bool whole_trace; /* the process could not keep the totals that were requested, so its trace
			     has everything */
	bool in_memory; /* DONE, FAILED: the ring file could not grow, so records may be missing */
	int left; /* DONE: errno if the ring file could not be removed; the next recovery writes the
		     rows again */
	bool copied; /* DONE: written to new files only; the ring file is kept */
	bool no_files; /* the process wrote neither a log nor a trace, only totals */
};

/*
 * A ring file names the logs that recovery cuts and continues. It is trusted only if it was made by
 * this user, in this boot and at this place (session/ringfile_reader.h), and a log only if device,
 * inode, owner and content match. An unproven ring file is recovered only if the user named it, and
 * then into new files of one directory.
 */
struct recover_request {
	const char *path;
	bool named;
	const char *logs_in; /* finishes only the logs in this directory; NULL: all */
	/* NULL, or the files that may be overwritten if the process began after `since`: for a tool
	 * that ran this process with -f. */
	const struct logs_overwrite *overwrite;
	const char *into; /* directory of new files, proven or not; NULL: files of unproven ones are
			     made beside the ring file */
	/* NULL, or called before the ring file of a process without files is removed: keeps its
	 * totals. Returns 0, or -1 after a message; then the ring file is kept. */
	int (*keep_totals)(const struct recover_request *request,
			   const struct recover_report *report);
};

/* Finishes the logs of the ring file. `report` starts zeroed; the caller frees its buffers with
 * recover_report_free. */
enum recover_result recover_request(const struct recover_request *request,
				    struct recover_report *report);

/* As recover_request, for a file that the user has not named. */
enum recover_result recover_ring(const char *path, struct recover_report *report);
void recover_report_free(struct recover_report *report);

#endif
