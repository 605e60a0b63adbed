/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_DESCENT_H
#define CLI_RUN_DESCENT_H

/* The processes that this one starts from descent_keep on, and those that they do. */

/* From now on processes whose parents have ended become children of this one, so that they are
 * found. They have to be waited for. To be called once, before it starts one. */
void descent_keep(void);

/* Sends the signal to all of them that run, and SIGCONT behind it, since one that is stopped hears
 * nothing; 0 sends nothing. How many there are. */
unsigned descent_signal(int number);

#endif
