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
	RECOVER_DONE,  /* the logs are whole now and the ring file is gone */
	RECOVER_ALIVE, /* its process still runs, or another one holds it: nothing was touched */
	RECOVER_FOREIGN, /* no ring file, of another user or format, or unproven (see below):
			    nothing was touched */
	RECOVER_FAILED,  /* a log could not be written: the ring file is kept */
	RECOVER_ELSEWHERE, /* not selected by logs_in: nothing was changed */
};

struct logs_overwrite;

struct recover_report {
	uint64_t rows;    /* rows added to the logs */
	uint64_t untimed; /* of them and of those that could not be written, without a gputime: the
			     device had not answered */
	uint64_t lost;    /* records the process had already had to drop */
	struct strbuf logs; /* the paths of its logs, a line each (base/pathlist.h) */
	struct strbuf traces; /* the same of its trace */
	struct strbuf reason; /* one sentence, for ALIVE, FOREIGN and FAILED */
	uint32_t pid; /* of its process; 0: not known */
	bool executing; /* its process was not killed, but became another program */
	bool finished; /* DONE: the process had ended by itself, and only the ring file was left */
	bool copied; /* DONE: into new files only, and the ring file is still there */
};

/*
 * A ring file names the logs that recovery cuts and continues. It is trusted only if it was made by
 * this user, in this boot and at this place (session/spoolreader.h), and a log only if device,
 * inode, owner and content match. An unproven ring file is recovered only if the user named it, and
 * then into new files of one directory.
 */
struct recover_request {
	const char *path;
	bool named;
	const char *logs_in; /* NULL, or the directory whose logs are to be finished, no others */
	/* NULL, or what may be overwritten by the ring file of a process that began after `since`:
	 * for the tool that has run that process, and was given -f. */
	const struct logs_overwrite *overwrite;
	const char *into; /* new files here, proven or not; NULL: those of the unproven beside it */
};

/* Finishes the logs of the ring file. `report` starts zeroed; the caller frees its buffers with
 * recover_report_free. */
enum recover_result recover_request(const struct recover_request *request,
				    struct recover_report *report);

/* As recover_request, for a file that the user has not named. */
enum recover_result recover_ring(const char *path, struct recover_report *report);
void recover_report_free(struct recover_report *report);

/* Appends the paths of all ring files in `directory`, each followed by NUL, since names may have
 * any other byte. Returns 0, or -1 if it cannot be read. */
int recover_find(const char *directory, struct strbuf *paths);

#endif
