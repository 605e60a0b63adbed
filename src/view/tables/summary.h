/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_SUMMARY_H
#define VIEW_TABLES_SUMMARY_H

#include "view/tables/tablesjob.h"

/* Appends the requested blocks that have rows. */
void summary_put(struct tables_job *job);

#endif
