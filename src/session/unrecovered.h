/* SPDX-License-Identifier: MIT */
#ifndef SESSION_UNRECOVERED_H
#define SESSION_UNRECOVERED_H

#include "session/state.h"

/*
 * By the writer, before its first round: says in one sentence that an earlier process has left rows
 * in a ring file that lies where this session's does, and that has a log of the same name. What is
 * killed, or ends without its exit handlers, cannot say so itself. Nothing is said of a
 * process that may still run, and of one of the same computeprof, which recovers it.
 */
void unrecovered_tell(struct session *session);

#endif
