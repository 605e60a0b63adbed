/* SPDX-License-Identifier: MIT */
#ifndef BASE_PORTABLE_LIBC_H
#define BASE_PORTABLE_LIBC_H

/*
 * Included before every source (-include in Makefile.am). From glibc 2.38 on, strtol, sscanf and
 * related functions are __isoc23_strtol and so on with _GNU_SOURCE, which older glibcs and musl do
 * not have; they also take "0b1" as a number.
 */
#include <features.h>

#undef __GLIBC_USE_C2X_STRTOL /* up to 2.40 */
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#define __GLIBC_USE_C23_STRTOL 0

#endif
