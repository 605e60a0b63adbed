/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_LAUNCH_WATCH_H
#define BACKEND_CUDA_COUNTERS_LAUNCH_WATCH_H

#include <stdbool.h>

/* Detects measured launches that do not return, because their kernel may wait for another one. One
 * launch at a time is measured. All functions are thread-safe. */

/* The seconds that a launch waits for a measured launch of another thread. */
enum { LAUNCH_WATCH_WAIT = 5 };

/* Call when a measured launch begins, with its kernel's name (NULL: unknown), which must stay valid
 * until launch_watch_end, and when it has ended. */
void launch_watch_begin(const char *kernel);
void launch_watch_end(void);

/* A launch has waited for LAUNCH_WATCH_WAIT seconds: the measured kernel is not measured from then
 * on, and a message says so. */
void launch_watch_waited(void);

/* Returns true from launch_watch_waited until the end of that launch: others need not wait. */
bool launch_watch_is_stuck(void);

/* Call from time to time: prints a message if the current launch has lasted for too long. */
void launch_watch_look(void);

#endif
