/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_SOURCE_H
#define BACKEND_CUDA_SOURCE_H

#include "session/session.h"

/* How the session gets what CUPTI records. */
extern const struct source cuda_source;

#endif
