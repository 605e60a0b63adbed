/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow_wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/say.h"
#include "session/snapshot.h"

enum {
	SLICE = 100 * 1000 *
		1000 /* ns after which a sleeper looks whether the data flow has ended */
};

atomic_bool flow_on;

bool flow_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t limit)
{
	uint64_t now = clock_monotonic(), left = now < limit ? limit - now : 0;
	struct timespec pause = {.tv_nsec = (long)(left < SLICE ? left : SLICE)};
	int error = errno;

	if (!left || !flow_is_on())
		return false;
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &pause, NULL, 0);
	errno = error;
	return true;
}

void flow_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void flow_give_up(void)
{
	static int said;

	atomic_store(&flow_on, false);
	snapshots_stop();
	say_once(&said, "the data flow is not recorded any more: a command has not ended within 10 "
			"seconds; the program may be waiting for the thread that launched it");
}
