/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_ENDINGS_H
#define CLI_RUN_ENDINGS_H

#include <stdbool.h>

#include "cli/run/artifacts.h"
#include "cli/run/child.h"
#include "session/recover.h"

/* Prints what recovery of the ring file `path` has found. `lists` is before the files of `report`
 * are added to it. */
void endings_tell(const char *path, enum recover_result result, struct recover_report *report,
		  struct artifact_lists *lists, const struct child *child);

/* Prints one message for each process without a ring file that has not ended normally, and adds it
 * to lists->unrecovered and lists->whole. Returns true if such a process still runs. */
bool endings_without_ring(struct artifact_lists *lists, const struct child *child);

/* Notes that the ring file existed when it was recovered with this result. */
void endings_note_found(struct artifact_lists *lists, const struct recover_report *report,
			const char *path);

/* Looks for processes whose rows were not written, or totals not read, because their ring files did
 * not exist, or belong to another user: the files were removed, or were in a mount namespace of
 * their own. Adds these processes to lists->gone and lists->unrecovered, keeps only those without a
 * ring file in lists->begun, and prints one message for each of these if `aloud`. Call after all
 * ring files were recovered and artifacts_read_ended. */
void endings_of_gone_rings(struct artifact_lists *lists, const struct child *child, bool aloud);

/* Prints a message if a process could not add to the list of its files and the program was killed:
 * its log may lack rows. */
void endings_of_cut_list(const struct artifact_lists *lists, const struct child *child);

#endif
