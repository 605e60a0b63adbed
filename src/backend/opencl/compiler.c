/* SPDX-License-Identifier: MIT */
#include "backend/opencl/compiler.h"

#include "backend/opencl/device.h"
#include "session/session.h"

atomic_bool compiler_kernels;

bool compiler_is_used(void)
{
	return atomic_load_explicit(&compiler_kernels, memory_order_relaxed) && device_works_here();
}

void compiler_waited(void)
{
	if (compiler_is_used())
		session_watch_compiler();
}
