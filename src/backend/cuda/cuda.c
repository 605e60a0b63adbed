/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cuda.h"

#include <stdlib.h>

#include "base/say.h"
#include "settings/environ.h"

void cuda_arm(const char *library)
{
	setenv("CUDA_INJECTION64_PATH", library, 0);
}

__attribute__((visibility("default"))) int InitializeInjection(void)
{
	static int said;
	struct environ_values values;

	environ_read(&values, API_CUDA);
	if (environ_on(&values, ENVIRON_PROFILE))
		say_once(&said, "this version records OpenCL only: what the program does through "
				"CUDA is in no log");
	return 1;
}
