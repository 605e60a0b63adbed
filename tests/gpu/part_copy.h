/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_COPY_H
#define GPU_PART_COPY_H

#include "parts.h"

int copy_kinds(const struct part *part, const char *step);   /* T8 */
int copy_managed(const struct part *part, const char *step); /* T8 */
int copy_peer(const struct part *part, const char *step);    /* T8 */
int copy_streams(const struct part *part, const char *step); /* T9 */

#endif
