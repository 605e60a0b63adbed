/* SPDX-License-Identifier: MIT */
#ifndef BASE_MAPPED_FILE_H
#define BASE_MAPPED_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Stores the absolute path of the file that is mapped at an address of this process, at most `size`
 * bytes and no NUL. Returns its length; 0 if there is no file, the path is longer, or
 * /proc/self/maps cannot be read. Uses neither malloc nor much of the stack. Not thread-safe. */
size_t mapped_file(uintptr_t address, char *path, size_t size);

#endif
