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

/* Call early, in a thread of the program: copies the value that env_kept returns from then on, even
 * if the program changes its environment. For other names env_kept is env_get. */
void env_keep(const char *name);
const char *env_kept(const char *name);

#endif
