/* SPDX-License-Identifier: MIT */
#ifndef SESSION_ROUND_H
#define SESSION_ROUND_H

#include "session/state.h"

/* With `drain` held: one round of the writer; with `final` all records are written, complete or
 * not. Returns the number of records moved. */
uint64_t writer_round(struct session *session, bool final);

/* With `drain` held: writes the rows that a round has left for a larger write. Returns true if
 * there were any; some are left if a file system does not respond (logs.stalled). */
bool writer_flush_rows(struct session *session);

/* With `drain` held: writes all records now and releases the driver's handles of running
 * commands. */
void writer_write_all(struct session *session);

/* As writer_write_all, for the logs of one API, which are closed permanently. */
void writer_close_api(struct session *session, enum api api);

/* With `drain` held: inserts a record into the order of its log. */
void round_take_in(struct session *session, const struct record *record);

#endif
