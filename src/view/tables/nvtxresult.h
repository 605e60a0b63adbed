/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_NVTXRESULT_H
#define VIEW_TABLES_NVTXRESULT_H

#include "view/tables/tablesjob.h"

/* Appends an empty line and the ranges, if there are any. */
void nvtxresult_put(struct tables_job *job);

#endif
