/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_SLOTS_H
#define BACKEND_NVTX_SLOTS_H

#include "backend/nvtx/nvtx.h"
#include "model/event.h"

/* Puts our functions into the slots of the program's NVTX: from then on its marks are recorded, as
 * those of `api`. 0, or -1 if there are no such slots. */
int slots_fill_in(const struct nvtx_callbacks *callbacks, enum api api);

#endif
