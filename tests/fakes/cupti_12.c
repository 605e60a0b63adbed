/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* Makes the library of CUDA 12, with its exports (cupti_12.map). */
const int64_t cupti_generation = 9;
const uint32_t cupti_version = 0;
