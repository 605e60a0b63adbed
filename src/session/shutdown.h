/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SHUTDOWN_H
#define SESSION_SHUTDOWN_H

#include "session/state.h"

/* session_current returns the session of this process, or NULL. session_write_out writes all
 * records launched until now, as far as the device completes them in time. */
struct session *session_current(void);
void session_write_out(struct session *session);

/* Prints that a file system does not respond, and how to finish the log. */
void session_tell_stalled(const struct session *session);

/* Notifies the tool of a session without a ring file: `kind` is "memory" at its start, and "ended"
 * when all its rows are written. */
void session_note_memory(const struct session *session, const char *kind);

/* With `drain` held: runs a last round and closes the files. Further calls do nothing. */
void session_shutdown(struct session *session);

#endif
