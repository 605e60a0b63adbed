/* SPDX-License-Identifier: MIT */
#include "backend/opencl/opencl.h"

#include "backend/opencl/layer.h"
#include "backend/opencl/symbol_hook.h"

void opencl_arm(const char *library)
{
	layer_arm(library);
	symbol_hook_arm();
}
