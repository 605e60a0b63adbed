/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RECOVER_LOSSES_H
#define SESSION_RECOVER_LOSSES_H

#include "session/logs.h"

/* What recovery knows of the dead process's trace. */
struct recover_losses {
	const struct ringfile_header *header;
	uint32_t frames;    /* TRACE frames */
	bool is_continued;  /* the trace is that of the first one: the process's own */
	uint64_t in_file;   /* records and events that it counts as missing */
	uint64_t regained;  /* those that the ring file counts and has, and the trace does not; */
	uint64_t regained_events; /* events of them */
	uint64_t found;	    /* records and events in it, */
	uint64_t rewritten; /* and records that it had, as their rows are in a log, and lacks */
};

/* Writes the numbers of records and events that the process could not write, or that were removed
 * from its trace since, after all others. Those that this recovery cannot write stay in the ring
 * file. Returns false if the trace does not take the numbers. */
bool recover_losses_report(const struct recover_losses *losses, struct logs *logs);

/* Returns true if the process had written records to a trace that is not continued. How many of
 * them are not in the ring file is unknown, so the new trace must not seem to be complete. */
static inline bool recover_losses_are_unknown(const struct recover_losses *losses)
{
	return losses->header->traced && !losses->is_continued;
}

#endif
