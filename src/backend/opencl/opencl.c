/* SPDX-License-Identifier: MIT */
#include "backend/opencl/opencl.h"

#include "backend/opencl/direct.h"
#include "backend/opencl/layer.h"

void opencl_arm(const char *library)
{
	layer_arm(library);
	direct_arm();
}
