/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_PENDING_SIGNAL_H
#define BACKEND_SAMPLING_PENDING_SIGNAL_H

#include <signal.h>
#include <stdint.h>

/* Returns the clock that has sent the signal (enum sample_clock); SAMPLE_CLOCK_UNKNOWN: the signal
 * is the program's. */
uint32_t pending_signal_clock(const siginfo_t *information);

/* Removes the signal from those that are pending for the calling thread if a clock has sent it. One
 * of the program stays pending. errno is kept. */
void pending_signal_drop(int signal);

#endif
