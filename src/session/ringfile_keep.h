/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_KEEP_H
#define SESSION_RINGFILE_KEEP_H

#include "session/state.h"

/* Returns true if the tool that runs this process reads its running totals. */
bool ringfile_keep_is_wanted(const struct session *session);

/* With `drain` held, after the last round, if the ring file is not kept: tells the tool that runs
 * this process, but cannot read its totals, how many records and calls its output lacks. */
void ringfile_keep_tell_unread(const struct session *session);

/* With `drain` held, after the last round: keeps the ring file as a finished one, and gives back
 * the memory of its rings and pending places. */
void ringfile_keep(struct session *session);

#endif
