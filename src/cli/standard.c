/* SPDX-License-Identifier: MIT */
#include "cli/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"

void standard_fill(void)
{
	for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
		if (fcntl(number, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) !=
			    number)
			return;
}

int standard_close(int code)
{
	if (!fflush(stdout) && !ferror(stdout))
		return code;
	say("cannot write to the standard output: %m");
	return code == EXIT_DONE ? EXIT_PROBLEM : code;
}
