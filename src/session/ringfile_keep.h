/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_KEEP_H
#define SESSION_RINGFILE_KEEP_H

#include "session/state.h"

/* With `drain` held, after the last round: if the tool that runs this process reads its running
 * totals, keeps the ring file as a finished one, and gives back the memory of its rings and pending
 * places. Returns false, and does nothing, if no one reads them. */
bool ringfile_keep(struct session *session);

#endif
