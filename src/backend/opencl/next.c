/* SPDX-License-Identifier: MIT */
#include "backend/opencl/next.h"

struct opencl_functions next;
