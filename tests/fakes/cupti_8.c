/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* What makes the library that of CUDA 8: this, and its exports (cupti_8.map). */
const int64_t cupti_generation = 3;
const uint32_t cupti_version = 0;
