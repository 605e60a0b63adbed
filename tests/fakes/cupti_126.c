/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* What makes the library that of CUDA 12.6 Update 2, the first to measure ranges: this, and its
 * exports (cupti_126.map). */
const int64_t cupti_generation = 9;
const uint32_t cupti_version = 24;
