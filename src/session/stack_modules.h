/* SPDX-License-Identifier: MIT */
#ifndef SESSION_STACK_MODULES_H
#define SESSION_STACK_MODULES_H

#include <stdint.h>

/* The ELF files of stacks. Outside of signal handlers, before the next function. */
void stack_modules_start(void);

/*
 * Returns the id of the module that has the address, and its load bias; 0 if it is not known. A new
 * module is written to the ring file. With `meta` held. `salt` is unwind_salt: what is known of
 * addresses holds for it.
 */
uint32_t stack_modules_find(uintptr_t address, uint64_t salt, uintptr_t *bias);

#endif
