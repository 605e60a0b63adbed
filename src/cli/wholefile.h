/* SPDX-License-Identifier: MIT */
#ifndef CLI_WHOLEFILE_H
#define CLI_WHOLEFILE_H

#include "base/strbuf.h"
#include "cli/flag.h"
#include "view/view.h"

/* Returns 0 if the file may be written: it does not exist, is empty, or there is -f; or -1 after a
 * message. `view` is that of the file; NULL: none. wholefile_write reports other reasons. */
int wholefile_check(const struct flags *flags, const struct view *view, const char *path);

/* Writes the texts, one after the other, as one file: completely or not at all, also if the tool is
 * killed. An existing file is replaced only with `force`. Returns 0 after the message "output:
 * PATH", or -1 after a message. */
int wholefile_write(const char *path, const struct strbuf *texts, size_t count, bool force);

#endif
