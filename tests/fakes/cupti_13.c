/* SPDX-License-Identifier: MIT */
#include "cupti_fake.h"

/* What makes the library that of CUDA 13: this, and its exports (cupti_13.map). */
const int64_t cupti_generation = 10;
