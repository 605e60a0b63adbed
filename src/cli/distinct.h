/* SPDX-License-Identifier: MIT */
#ifndef CLI_DISTINCT_H
#define CLI_DISTINCT_H

/*
 * Removes each path from the array whose file (device and inode) already has an earlier path, and
 * prints a message for it. The order of the others is kept. Returns the new count, or -1 with a
 * message without memory.
 */
int distinct_files(char **paths, int count);

#endif
