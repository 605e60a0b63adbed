/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_SLOTS_H
#define BACKEND_NVTX_SLOTS_H

#include "backend/nvtx/nvtx.h"
#include "settings/settings.h"

/* Fills the slots of the program's NVTX with the library's functions. Marks are then recorded with
 * these settings, which must stay valid. Returns 0, or -1 if there are no such slots. */
int slots_fill_in(const struct nvtx_callbacks *callbacks, const struct settings *settings);

#endif
