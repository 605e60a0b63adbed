/* SPDX-License-Identifier: MIT */
#ifndef SESSION_MANIFEST_H
#define SESSION_MANIFEST_H

/*
 * Tells the command line tool which files this process makes: a line "KIND PATH" appended to the
 * file that COMPUTEPROF_MANIFEST names. Without the variable nothing happens.
 */
void manifest_add(const char *kind, const char *path);

#endif
