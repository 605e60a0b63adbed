/* SPDX-License-Identifier: MIT */
#include "output/filetype.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "output/trace.h"

enum { LONGEST = 32 };

static const char starts[][LONGEST] = {
	"NV_Warning: ", "NV_Error: ", TRACE_MAGIC,
#define API(id, ...) "# " #id "_PROFILE_",
#include "model/api.def"
#undef API
};

bool filetype_is_profile(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char bytes[LONGEST] = "";
	ssize_t got;

	if (fd < 0)
		return false;
	do
		got = read(fd, bytes, sizeof(bytes));
	while (got < 0 && errno == EINTR);
	close(fd);
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		size_t length = strlen(starts[i]);

		if (got >= (ssize_t)length && !memcmp(bytes, starts[i], length))
			return true;
	}
	return false;
}
