/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_SOURCE_H
#define BACKEND_CUDA_SOURCE_H

#include "session/session.h"

/* The callbacks of the writer for CUPTI's records. */
extern const struct source cuda_source;

/* Call on the program's thread before objects are destroyed that CUPTI's records refer to: flushes
 * the records and the names of kernels that CUPTI holds. `unload`: the object is a module, so
 * without a flush only names would be lost. */
void source_look_before(bool unload);

#endif
