/* SPDX-License-Identifier: MIT */
#include "output/filetype.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "output/trace.h"

enum { LONGEST = 40 };

static const char starts[][LONGEST] = {
	"NV_Warning: ", "NV_Error: ", TRACE_MAGIC,
#define API(id, ...) "# " #id "_PROFILE_LOG_VERSION ", "# " #id "_PROFILE_API_LOG_VERSION ",
#include "model/api.def"
#undef API
};

/* Returns the number of bytes that were read from the start of the file, -1 with errno. */
static ssize_t read_start(const char *path, char *to)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t got;
	int error;

	if (fd < 0)
		return -1;
	do
		got = read(fd, to, LONGEST);
	while (got < 0 && errno == EINTR);
	error = errno;
	close(fd);
	errno = error;
	return got;
}

bool filetype_is_profile(const char *path)
{
	char bytes[LONGEST];
	ssize_t got = read_start(path, bytes);

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		size_t length = strlen(starts[i]);

		if (got >= (ssize_t)length && !memcmp(bytes, starts[i], length))
			return true;
	}
	return false;
}

int filetype_begins(const char *path, const char *start, bool cut)
{
	char bytes[LONGEST];
	ssize_t got = read_start(path, bytes), length = (ssize_t)strlen(start);

	if (got < 0)
		return -1;
	if (cut && got < length)
		length = got;
	return !got || (got >= length && !memcmp(bytes, start, (size_t)length));
}
