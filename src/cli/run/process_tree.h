/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_PROCESS_TREE_H
#define CLI_RUN_PROCESS_TREE_H

/* The descendants that this process starts after process_tree_keep. */

/* From now on orphaned descendants become children of this process, so that they are found. They
 * must be waited for. Call once, before the first process is started. */
void process_tree_keep(void);

/* Sends the signal to all running descendants, followed by SIGCONT, since a stopped process does
 * not handle signals; 0 sends nothing. Returns the number of descendants. */
unsigned process_tree_signal(int number);

#endif
