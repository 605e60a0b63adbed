/* SPDX-License-Identifier: MIT */
#ifndef BASE_TLS_H
#define BASE_TLS_H

#include <stddef.h>

/* How many bytes the thread-local variables of everything that is loaded take at most. C libraries
 * put them on the stack of each new thread, inside the size that was asked for. */
size_t tls_size(void);

#endif
