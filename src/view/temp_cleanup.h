/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TEMP_CLEANUP_H
#define VIEW_TEMP_CLEANUP_H

/*
 * What a signal that ends the process (SIGINT, SIGTERM, SIGHUP, SIGQUIT) leaves behind. Where one
 * is ignored it stays so. For one thread.
 */

/* Between these two it holds; they may be within another pair. */
void temp_cleanup_begin(void);
void temp_cleanup_end(void);

/* A file that is removed, until the innermost temp_cleanup_end. The name must stay. */
void temp_cleanup_remove(const char *path);

/* What goes to the standard error, as it is; NULL: nothing. The text must stay. */
void temp_cleanup_say(const char *text);

#endif
