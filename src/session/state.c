/* SPDX-License-Identifier: MIT */
#include "session/state.h"

struct globals globals;
