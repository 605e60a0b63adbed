/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* Makes the library of CUDA 13.2, with its exports (cupti_132.map). */
const int64_t cupti_generation = 10;
const uint32_t cupti_version = 130200;

/* Only its name is used, to identify the release. */
ENTRY_POINT int cuptiActivityRegisterCallbacks_v2(void);
int cuptiActivityRegisterCallbacks_v2(void)
{
	return CUPTI_NOT_SUPPORTED;
}
