/* SPDX-License-Identifier: MIT */
#ifndef VIEW_LASTWORDS_H
#define VIEW_LASTWORDS_H

/*
 * What a signal that ends the process (SIGINT, SIGTERM, SIGHUP, SIGQUIT) leaves behind. Where one
 * is ignored it stays so. For one thread.
 */

/* Between these two it holds; they may be within another pair. */
void lastwords_begin(void);
void lastwords_end(void);

/* A file that is removed, until the innermost lastwords_end. The name must stay. */
void lastwords_remove(const char *path);

/* What goes to the standard error, as it is; NULL: nothing. The text must stay. */
void lastwords_say(const char *text);

#endif
