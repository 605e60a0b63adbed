/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOGFILE_H
#define SESSION_LOGFILE_H

#include "session/logs.h"

/*
 * One open log: its header, its buffer, and the frame in the ring file with the size that is
 * committed.
 */

/* Appends everything before the first row. */
void logfile_put_header(const struct log_file *log, struct strbuf *to);

/* The log has just been opened and is empty: adds a log frame to `ringfile` and writes the header
 * to the file, or without a ring file to the buffer only. */
void logfile_begin(struct log_file *log, struct ringfile *ringfile);

/* Writes the buffer. Call again while logfile_is_waiting(log). After an error an incomplete row is
 * cut off, the log fails, and the number of rows that were not written is returned. */
uint64_t logfile_flush(struct log_file *log);

/* Adds the log's lost rows to the number in the ring file, before their records are removed from
 * it. A kill at any moment leaves a commit and a number by which each row is in the file, lost, or
 * still to be written. */
void logfile_note_lost(struct log_file *log, struct ringfile_header *header);

/* Returns true if the buffer is not written yet: its job is in progress, or could not be sent
 * because of another one. */
bool logfile_is_waiting(const struct log_file *log);

/* Returns the newer of the two slots. */
const struct log_commit *logfile_commit(const struct log_commit slots[2]);

/* Writes the log of a program whose configuration file cannot be used. */
void logs_write_error(struct logs *logs, const struct settings *settings);

#endif
