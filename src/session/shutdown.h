/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SHUTDOWN_H
#define SESSION_SHUTDOWN_H

#include "session/state.h"

/* For exit handlers: returns the session, or makes one if contexts wait for their header. It is not
 * made at other ends, which may run in a signal handler that has interrupted the allocator. Returns
 * NULL if there is nothing to write, or recording has ended. */
struct session *session_at_end(void);

/* Writes all records launched until now, as far as the device completes them in time. */
void session_write_out(struct session *session);

/* Prints that a file system does not respond, and how to finish the log. */
void session_tell_stalled(const struct session *session);

/* Notifies the tool that all rows of the session are written. `kept`: its ring file stays for its
 * totals. Otherwise the ring file has no more data for the tool. Returns false if that failed. */
bool session_note_end(const struct session *session, bool kept);

/* Notifies the tool of a session and its ring file, if it has one; also after a failed exec. */
void session_note_begin(const struct session *session);

/* With `drain` held: runs a last round and closes the files. Further calls do nothing. */
void session_shutdown(struct session *session);

#endif
