/* SPDX-License-Identifier: MIT */
#include "backend/sampling/sample_signal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "backend/sampling/masks.h"
#include "base/fork.h"

static const int signals[] = {SIGURG, SIGWINCH};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

const char sample_signals_used[] = "the program uses the signals SIGURG and SIGWINCH";

static _Atomic int chosen = -1; /* index in `signals` */
static sample_handler *ours;

/* SIG_IGN and SIG_DFL do the same for these signals. */
static bool is_unused(const struct sigaction *action)
{
	return !(action->sa_flags & SA_SIGINFO) &&
	       (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
}

bool sample_signal_choose(sample_handler *handler, bool skip_first)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK}, before;
	int next = atomic_load(&chosen);

	ours = handler;
	action.sa_sigaction = handler;
	masks_handler(&action.sa_mask);
	if (skip_first && next < 0)
		next = 0;
	while (++next < SIGNALS)
		if (!sigaction(signals[next], NULL, &before) && is_unused(&before) &&
		    !sigaction(signals[next], &action, NULL))
			break;
	atomic_store(&chosen, next < SIGNALS ? next : SIGNALS);
	return next < SIGNALS;
}

int sample_signal(void)
{
	int at = atomic_load_explicit(&chosen, memory_order_relaxed);

	return at >= 0 && at < SIGNALS ? signals[at] : 0;
}

bool sample_signal_is_ours(void)
{
	struct sigaction action;
	int number = sample_signal();

	return number && !sigaction(number, NULL, &action) && action.sa_flags & SA_SIGINFO &&
	       action.sa_sigaction == ours;
}

bool sample_signal_is_lost(void)
{
	struct sigaction action;

	if (sample_signal_is_ours())
		return false;
	for (int at = atomic_load(&chosen) + 1; at < SIGNALS; at++)
		if (!sigaction(signals[at], NULL, &action) && is_unused(&action))
			return false;
	return true;
}

static bool is_blocked(int number)
{
	sigset_t blocked;

	return !pthread_sigmask(SIG_BLOCK, NULL, &blocked) && sigismember(&blocked, number) == 1;
}

bool sample_signal_is_blocked(void)
{
	int number = sample_signal();

	return number && is_blocked(number);
}

bool sample_signal_is_blocked_in_child(void)
{
	const sigset_t *mask = fork_mask();
	int number = sample_signal();

	return mask ? number && sigismember(mask, number) == 1 : sample_signal_is_blocked();
}

bool sample_signal_first_is_blocked(void)
{
	return is_blocked(signals[0]) && !is_blocked(signals[1]);
}
