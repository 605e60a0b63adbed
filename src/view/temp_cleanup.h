/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TEMP_CLEANUP_H
#define VIEW_TEMP_CLEANUP_H

/*
 * Cleanup when a signal ends the process (SIGINT, SIGTERM, SIGHUP, SIGQUIT). Ignored signals stay
 * ignored. Not thread-safe.
 */

/* Switch the cleanup on and off; pairs may be nested. */
void temp_cleanup_begin(void);
void temp_cleanup_end(void);

/* Sets the file, or folder (folder.h), to be removed, until the innermost temp_cleanup_end. The
 * name must stay valid. */
void temp_cleanup_remove(const char *path);

/* Sets the text to be written to the standard error unchanged; NULL: nothing. The text must stay
 * valid. */
void temp_cleanup_say(const char *text);

#endif
