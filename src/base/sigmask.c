/* SPDX-License-Identifier: MIT */
#include "base/sigmask.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

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
	static const long at_once[2];
	int raised = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
	uint64_t ours = raised ? UINT64_C(1) << (raised - 1) : 0;

	/* By system call: the C library's function is wrapped by this library. */
	if (raised && !sigismember(&quiet->pending, raised))
		syscall(SYS_rt_sigtimedwait, &ours, NULL, at_once, sizeof(ours));
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
