/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_SLOTS_H
#define BACKEND_NVTX_SLOTS_H

#include "backend/nvtx/nvtx.h"
#include "settings/settings.h"

/* Puts our functions into the slots of the program's NVTX. From then on its marks are recorded, by
 * these settings, which must stay, as those of their API. 0, or -1 if there are no such slots. */
int slots_fill_in(const struct nvtx_callbacks *callbacks, const struct settings *settings);

#endif
