/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_RECOVERY_H
#define TESTS_FUZZ_RECOVERY_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "session/ringfile.h"

/* The files of a killed program: a ring file, the log /log and the trace /trace; the latter two may
 * be empty. Inodes are 1, 2 and, for the trace if there is a log, 3. */
struct left {
	struct strbuf ring, log, trace;
	bool full; /* the disk is full: new files cannot be recorded */
};

/* Returns the header of such a ring file, which proves that it belongs to the user. */
struct ringfile_header left_header(void);

/* Recovers it twice and checks all guarantees of recovery for any such files. */
void recovery_check(const struct left *left);
void left_free(struct left *left);

#endif
