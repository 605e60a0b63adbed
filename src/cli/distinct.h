/* SPDX-License-Identifier: MIT */
#ifndef CLI_DISTINCT_H
#define CLI_DISTINCT_H

/*
 * Removes a path from the array if an earlier path has the same file (device and inode), and prints
 * a message for it. The order of the others is kept. Returns the new count. Without memory, prints
 * a message and returns -1.
 */
int distinct_files(char **paths, int count);

#endif
