/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_SAMPLE_SIGNAL_H
#define BACKEND_SAMPLING_SAMPLE_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

/* The signal of samples: SIGURG, or SIGWINCH if the program uses SIGURG. The default action of both
 * is to do nothing. */

typedef void sample_handler(int number, siginfo_t *information, void *context);

/* Installs the handler for the next signal that the program does not use; after a signal has been
 * chosen, for a later one. `skip_first`: not for the first one. Returns false if there is none. */
bool sample_signal_choose(sample_handler *handler, bool skip_first);

/* Returns the number of the signal that is chosen, or 0. */
int sample_signal(void);

/* Returns true if the handler still is that of the chosen signal. */
bool sample_signal_is_ours(void);

/* Returns true if !sample_signal_is_ours(), and sample_signal_choose would find no other signal. */
bool sample_signal_is_lost(void);

/* Returns true if the calling thread blocks the chosen signal. */
bool sample_signal_is_blocked(void);

/* The same in the handler of a fork, for the time after it. */
bool sample_signal_is_blocked_in_child(void);

/* Returns true if the calling thread blocks the first signal only. */
bool sample_signal_first_is_blocked(void);

/* The reason if sample_signal_choose fails, or if sample_signal_is_lost(). */
extern const char sample_signals_used[];

#endif
