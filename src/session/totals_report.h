/* SPDX-License-Identifier: MIT */
#ifndef SESSION_TOTALS_REPORT_H
#define SESSION_TOTALS_REPORT_H

#include "session/totals_reader.h"
#include "settings/settings.h"

/*
 * Writes the running totals of a process that has ended to `to`, as a whole trace: the frames
 * PROCESS, NAME, DEVICE and CONTEXT, a TOTALS frame for each row that is not empty, LOST with
 * `lost` records, and END. The records and events that are still in the ring file and in no row are
 * added; those of APIs whose settings have no totals are not (`settings` by API, NULL: none).
 * Without totals nothing is written. The ring file does not change. Returns 0, or -1 without
 * memory; `to` is then empty.
 *
 * After a kill, two numbers are limits: the time in which a device had work may be too short by
 * what was between the last intervals, and the memory in use is that of the last event that was
 * added and, for later ones, of their own sizes.
 */
int totals_report(struct strbuf *to, const struct ringfile_reader *ring,
		  const struct settings *const *settings, uint64_t lost);

/* Writes these rows as such a trace. Returns 0, or -1 without memory. */
int totals_report_rows(struct strbuf *to, const struct totals_rows *rows,
		       const struct catalog *catalog, uint64_t lost);

#endif
