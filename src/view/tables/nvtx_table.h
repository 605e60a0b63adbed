/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_NVTX_TABLE_H
#define VIEW_TABLES_NVTX_TABLE_H

#include "view/tables/tablesjob.h"

/* Appends an empty line and the ranges, if there are any. */
void nvtx_table_put(struct tables_job *job);

#endif
