/* SPDX-License-Identifier: MIT */
#ifndef SESSION_FINISH_H
#define SESSION_FINISH_H

#include "session/state.h"

/* The session of this very process, or NULL; what was launched until now comes out of it, as far as
 * the device gets on. */
struct session *session_there(void);
void session_bring_out(struct session *session);

/* Says that a file system does not answer, and what finishes the log. */
void session_tell_stalled(const struct session *session);

/* With `drain` held: a last round, and the files are closed. For once; more often is nothing. */
void session_finish(struct session *session);

#endif
