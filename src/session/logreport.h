/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOGREPORT_H
#define SESSION_LOGREPORT_H

#include "session/logs.h"

/* Messages about records that were lost or have no gputime. */

/* Reports the number of lost records, also to the command line tool. */
void logs_report_lost(uint64_t count);

/* Reports losses since the last call on stderr and in the trace; `lost` counts records that did not
 * reach the logs. Messages that stderr has not taken are written to the end of the first log. */
void logs_report(struct logs *logs, uint64_t lost);

#endif
