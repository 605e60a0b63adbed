/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RECOVER_LIST_H
#define SESSION_RECOVER_LIST_H

#include "session/recover.h"
#include "session/ringfile_reader.h"

/* The lists of files in struct recover_report. */

void recover_list_path(struct strbuf *list, const char *path);

/* Adds all files of a ring file to the lists: a process that has ended normally may have been
 * unable to name them to the tool. */
void recover_list_files(struct ringfile_reader *reader, struct recover_report *report);

#endif
