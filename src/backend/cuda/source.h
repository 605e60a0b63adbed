/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_SOURCE_H
#define BACKEND_CUDA_SOURCE_H

#include "session/session.h"

/* The callbacks of the writer for CUPTI's records. */
extern const struct source cuda_source;

/* Returns true if recording is stopped and CUPTI holds no earlier records. */
bool source_is_quiet(void);

#endif
