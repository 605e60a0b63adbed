/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* What makes the library that of CUDA 13: this, and its exports (cupti_13.map). */
const int64_t cupti_generation = 10;
const uint32_t cupti_version = 0;
