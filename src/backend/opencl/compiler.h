/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_COMPILER_H
#define BACKEND_OPENCL_COMPILER_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * PoCL compiles a kernel after its launch, in a thread of its own. LLVM registers exit handlers at
 * the first one, and crashes if it is used after they have been called.
 */

extern atomic_bool compiler_kernels; /* a kernel was launched */
static inline void compiler_launched(void)
{
	atomic_store_explicit(&compiler_kernels, true, memory_order_relaxed);
}

/* Returns true if a kernel was launched, and the driver works in this process. */
bool compiler_is_used(void);

/* Call when the program has waited for commands: their kernels are compiled. */
void compiler_waited(void);

#endif
