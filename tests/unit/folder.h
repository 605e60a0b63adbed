/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* set_up and tear_down for tests that each have their own working directory. */

static char directory[64];

static inline int set_up(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/computeprof-test-XXXXXX");
	return mkdtemp(directory) && !chdir(directory) ? 0 : -1;
}

static inline int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return chdir("/") || system(command);
}

#endif
