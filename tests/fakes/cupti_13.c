/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* Makes the library of CUDA 13, with its exports (cupti_13.map). */
const int64_t cupti_generation = 10;
const uint32_t cupti_version = 0;
