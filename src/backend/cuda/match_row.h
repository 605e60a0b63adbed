/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_ROW_H
#define BACKEND_CUDA_MATCH_ROW_H

#include <stdbool.h>

#include "backend/cuda/match.h"

/* What a piece of work becomes when it is handed on. Only for match.c. */

/* What it has from its call, or from none (NULL), and its times on the clocks of records. `met`: an
 * earlier row has the call's time. */
void match_row_set(struct record *record, const struct match_call *call, bool met);

/* Hands it on, with the values of the launch's next kernel if it is not launch 0. */
void match_row_take(struct record *record, uint32_t correlation);

#endif
