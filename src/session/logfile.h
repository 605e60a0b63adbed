/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOGFILE_H
#define SESSION_LOGFILE_H

#include "session/logs.h"

/*
 * One open log: its header, its buffer on the way to the file, and the note in the spool that says
 * how much of the file is whole.
 */

/* The log is just opened and empty: a log frame into `spool`, the header into the file (into the
 * buffer only, where there is no spool). */
void logfile_begin(struct log_file *log, struct spool *spool);

/* Writes the buffer; while logfile_is_waiting(log) afterwards, that is to be called again.
 * What an error leaves of a row is cut off again, the log gives up, and the rows that did not get
 * there are counted: their number is returned. */
uint64_t logfile_flush(struct log_file *log);

/* Whether the file has not taken the buffer yet: it is under way, or could not be sent because
 * another job is. */
bool logfile_is_waiting(const struct log_file *log);

/* The newer of the two slots. */
const struct log_commit *logfile_commit(const struct log_commit slots[2]);

#endif
