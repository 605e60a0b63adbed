/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_SUMMARY_H
#define VIEW_TABLES_SUMMARY_H

#include "view/tables/tablesjob.h"

/* The blocks of it that are wanted and have rows. */
void summary_put(struct tables_job *job);

#endif
