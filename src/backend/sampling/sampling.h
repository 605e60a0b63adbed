/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_SAMPLING_H
#define BACKEND_SAMPLING_SAMPLING_H

#include <stdbool.h>

/* The entry points of this back end, as those of all in entry/backends.def. */
void sampling_arm(const char *library);
void sampling_control(bool on);

/* Call at exit, before the session ends: samples of a process without a session get one. */
void sampling_finish(void);

#endif
