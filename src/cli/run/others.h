/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_OTHERS_H
#define CLI_RUN_OTHERS_H

#include "cli/run/artifacts.h"

/* Ring files of processes that have become another user. Root does not recover a file that another
 * user named: that user may have put anything there. */

/* Prints one message for each such file. Their contents are not trusted. */
void others_tell(struct artifact_lists *lists);

/* For a run without a log of any process: prints that those of other users are not known. In a run
 * that writes no log, exports_end prints what was not made. */
void others_explain(void);

#endif
