/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_SOURCE_H
#define BACKEND_CUDA_SOURCE_H

#include "session/session.h"

/* How the session gets what CUPTI records. */
extern const struct source cuda_source;

/* Recording is stopped, and CUPTI has nothing any more of what was recorded before. */
bool source_is_quiet(void);

#endif
