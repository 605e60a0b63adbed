/* SPDX-License-Identifier: MIT */
#include "base/address_space.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/number.h"

enum { SHARE = 8, TEXT = 128 };

static _Atomic uint64_t taken; /* bytes */

/* Returns the size of the process in bytes, UINT64_MAX if it is not known. */
static uint64_t used_now(void)
{
	int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[TEXT];
	ssize_t length;

	if (file < 0)
		return UINT64_MAX;
	length = read(file, text, sizeof(text) - 1);
	close(file);
	if (length <= 0)
		return UINT64_MAX;
	text[length] = '\0';
	return number_read(text, NULL) * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool address_space_take(uint64_t bytes)
{
	uint64_t before = atomic_fetch_add(&taken, bytes), used;
	struct rlimit limit;
	bool fits;

	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return true;
	used = used_now();
	fits = used < limit.rlim_cur && before + bytes <= (limit.rlim_cur - used + before) / SHARE;
	if (!fits)
		address_space_give(bytes);
	return fits;
}

void address_space_give(uint64_t bytes)
{
	atomic_fetch_sub(&taken, bytes);
}
