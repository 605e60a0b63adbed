/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_RECOVERY_H
#define TESTS_FUZZ_RECOVERY_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "session/spool.h"

/* What a killed program has left: a ring file, the log /log and the trace /trace; the latter two
 * may be empty. Inodes are 1, 2 and, for the trace where there is a log, 3. */
struct left {
	struct strbuf ring, log, trace;
	bool full; /* the disk: what is begun cannot be noted */
};

/* The header of such a ring file, which proves that it is the user's own. */
struct spool_header left_header(void);

/* Recovers it, twice, and checks all that recovery promises for any such files. */
void recovery_check(const struct left *left);
void left_free(struct left *left);

#endif
