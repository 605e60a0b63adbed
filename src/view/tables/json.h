/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_JSON_H
#define VIEW_TABLES_JSON_H

#include "view/view.h"

/* The summary as JSON. The file is written only if the stream is good to its end. */
extern const struct view json_view;

#endif
