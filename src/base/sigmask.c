/* SPDX-License-Identifier: MIT */
#include "base/sigmask.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

void sigmask_begin(struct quiet *quiet)
{
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGPIPE);
	sigaddset(&ours, SIGXFSZ);
	sigaddset(&ours, SIGTTOU);
	sigemptyset(&quiet->pending);
	pthread_sigmask(SIG_BLOCK, &ours, &quiet->before);
	sigpending(&quiet->pending);
}

void sigmask_end(const struct quiet *quiet, int error)
{
	static const struct timespec at_once = {0};
	int raised = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
	sigset_t ours;

	if (raised && !sigismember(&quiet->pending, raised)) {
		sigemptyset(&ours);
		sigaddset(&ours, raised);
		sigtimedwait(&ours, NULL, &at_once);
	}
	pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
	errno = error;
}

/* SIGSYS stays unblocked, since sandboxes handle it; the mark tells these masks from the program's.
 */
void sigmask_all(sigset_t *before)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGMASK_MARK};
	sigset_t others;

	sigfillset(&others);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_BLOCK, &others, before);
}
