/* SPDX-License-Identifier: MIT */
#ifndef BASE_TLS_H
#define BASE_TLS_H

#include <stddef.h>

/* Returns an upper bound for the bytes of thread-local variables of all loaded objects. C libraries
 * place them on the stack of each new thread, within the requested size. */
size_t tls_size(void);

#endif
