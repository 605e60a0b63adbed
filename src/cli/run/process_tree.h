/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_PROCESS_TREE_H
#define CLI_RUN_PROCESS_TREE_H

/* The processes that this one starts from process_tree_keep on, and those that they do. */

/* From now on processes whose parents have ended become children of this one, so that they are
 * found. They have to be waited for. To be called once, before it starts one. */
void process_tree_keep(void);

/* Sends the signal to all of them that run, and SIGCONT behind it, since one that is stopped hears
 * nothing; 0 sends nothing. How many there are. */
unsigned process_tree_signal(int number);

#endif
