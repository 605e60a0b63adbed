/* SPDX-License-Identifier: MIT */
#ifndef BASE_ENV_H
#define BASE_ENV_H

/*
 * Returns the value of the environment variable `name`, or NULL if it is unset or the program runs
 * with more rights than its user (set-user-ID and similar). Points into the environment.
 *
 * secure_getenv is glibc's; with other C libraries the auxiliary vector is read.
 */
const char *env_get(const char *name);

#endif
