/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_PLACE_H
#define SESSION_RINGFILE_PLACE_H

#include <stdbool.h>

/* Whether the tool that started this process finds a ring file. In a mount namespace, a directory
 * may be another one than the tool's directory of this name, and end with the namespace. */

/* Returns true without a tool, or if the directory of shared memory is the tool's. */
bool ringfile_place_has_tools_memory(void);

/* Returns the directory in which the tool looks for ring files, besides the shared memory; NULL
 * without a tool, or if this process has another one, or none, of this name. */
const char *ringfile_place_of_tool(void);

/* Returns true without a tool, or if `directory` is one of the two. */
bool ringfile_place_is_seen(const char *directory);

#endif
