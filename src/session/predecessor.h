/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PREDECESSOR_H
#define SESSION_PREDECESSOR_H

/* At the start of a program: if this process was another profiled program before an exec, removes
 * the ring file of that one, where it would lie by the variables of now. A ring file with rows in
 * it stays, which is said; one that lies elsewhere is left to recovery. */
void predecessor_remove(void);

#endif
