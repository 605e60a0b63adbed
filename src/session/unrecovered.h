/* SPDX-License-Identifier: MIT */
#ifndef SESSION_UNRECOVERED_H
#define SESSION_UNRECOVERED_H

#include "session/state.h"

/*
 * Called by the writer after its first round: prints one message if an earlier process has left
 * rows in a ring file in the directory of this session's, with a log of the same name. A killed
 * process, or one without exit handlers, cannot print it. There is no message about a process that
 * may still run, or about one of the same computeprof, which recovers it.
 */
void unrecovered_tell(struct session *session);

#endif
