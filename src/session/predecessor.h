/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PREDECESSOR_H
#define SESSION_PREDECESSOR_H

/* Called at the start of a program: if this process was another profiled program before an exec,
 * removes its ring file, searched by the present variables. A ring file with rows is kept, with a
 * message. One in another place is left to recovery. */
void predecessor_remove(void);

#endif
