/* SPDX-License-Identifier: MIT */
#ifndef SESSION_FLUSH_H
#define SESSION_FLUSH_H

#include <stdbool.h>

/* session_flush is in session.h. */

/* Returns true if a driver does its work in threads of this process, as PoCL does. */
bool flush_works_here(void);

/* Returns true if such a driver has compiled a kernel. */
bool flush_has_compiled(void);

#endif
