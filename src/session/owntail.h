/* SPDX-License-Identifier: MIT */
#ifndef SESSION_OWNTAIL_H
#define SESSION_OWNTAIL_H

#include "session/logs.h"

/*
 * The end of a dead process's log, after its last commit. It may be cut off only if recovery writes
 * all of it again: other processes may have appended lines, also rows.
 */
struct resume_records {
	const struct record *const *records; /* of the ring file */
	uint64_t count;
	struct map kept; /* by a record's address: its row is in a log that is not continued */
};

/* The log will not be continued: notes the records whose rows are committed there. Returns -1
 * without memory. */
int owntail_keep(const struct log_file *log, const struct log_frame *frame,
		 struct resume_records *records);

/* Returns true if the bytes are messages of the profiler and rows that recovery writes to `log`
 * again; the last line may be incomplete. Otherwise, also without memory, it notes the records
 * whose rows are among the bytes. */
bool owntail_check(const struct log_file *log, const struct log_frame *frame,
		   struct resume_records *records, const char *bytes, size_t size);

#endif
