/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RECOVER_TOTALS_H
#define SESSION_RECOVER_TOTALS_H

#include "session/recover.h"
#include "session/ringfile_reader.h"
#include "settings/settings.h"

/* Returns true if the process has left its totals to a tool that still runs. */
bool recover_totals_are_read(const struct ringfile_reader *reader);

/* Removes the list of that tool if it was killed. */
void recover_totals_remove_list(const struct ringfile_reader *reader);

/* Returns true if the process wrote neither a log nor a trace, as far as known: a log that is
 * /dev/null is none, nor is a trace that begins with a range if there was none. `settings` has
 * API_COUNT elements, NULL for an API without records. */
bool recover_totals_are_alone(struct ringfile_reader *reader,
			      const struct settings *const *settings);

/* Recovers a process that wrote no files: its totals are kept by request->keep_totals, and the ring
 * file is removed, unless it is `copied`. */
enum recover_result recover_totals_keep(const struct ringfile_reader *reader,
					const struct recover_request *request,
					struct recover_report *report, bool copied);

#endif
