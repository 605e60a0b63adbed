/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* Makes the library of CUDA 8, with its exports (cupti_8.map). */
const int64_t cupti_generation = 3;
const uint32_t cupti_version = 0;
