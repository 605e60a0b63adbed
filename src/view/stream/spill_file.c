/* SPDX-License-Identifier: MIT */
#include "view/stream/spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static const char *folder(void)
{
	const char *given = getenv("TMPDIR");

	return given && *given ? given : "/tmp";
}

/* For file systems without O_TMPFILE. Signals are blocked, so none ends the process between the two
 * steps. */
static int open_and_unlink(void)
{
	struct strbuf path = STRBUF_INIT;
	sigset_t all, before;
	int file, reason;

	strbuf_printf(&path, "%s/computeprof-sort-XXXXXX", folder());
	if (path.failed) {
		errno = ENOMEM;
		return -1;
	}
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	file = mkostemp(path.data, O_CLOEXEC);
	reason = errno;
	if (file >= 0)
		unlink(path.data);
	sigprocmask(SIG_SETMASK, &before, NULL);
	strbuf_free(&path);
	errno = reason;
	return file;
}

int spill_file_open(void)
{
	int file = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return file >= 0 ? file : open_and_unlink();
}

int spill_file_fail(const char *what, struct strbuf *error)
{
	strbuf_printf(error, "cannot %s the temporary file for sorting in %s: %s; set TMPDIR to "
			     "another directory", what, folder(), strerror(errno));
	return -1;
}

int spill_file_write(int file, const void *bytes, size_t size, struct strbuf *error)
{
	return file_write(file, bytes, size) < size ? spill_file_fail("write", error) : 0;
}

size_t spill_file_budget(size_t wanted)
{
	const char *given = getenv("COMPUTEPROF_TEST_SORT_BUDGET");

	if (given)
		wanted = strtoul(given, NULL, 10);
	else if (!wanted)
		wanted = SPILL_BUDGET;
	if (wanted < SPILL_BUDGET_LEAST)
		wanted = SPILL_BUDGET_LEAST;
	return wanted & ~(size_t)(SPILL_PAGE - 1);
}
