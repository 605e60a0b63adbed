/* SPDX-License-Identifier: MIT */
/*
 * A module for clhost: clmodule_run() makes ROWS numbered commands, and the module's destructor,
 * which runs after those of libraries that were there before, makes LATE more. Prints "rows N".
 */
#include <stdlib.h>

#include "numbered.h"

enum { ROWS = 500, LATE = 7 };

#define ENTRY_POINT __attribute__((visibility("default")))
ENTRY_POINT int clmodule_run(void);

static struct numbered numbered;

static void work(int count)
{
	numbered_copy(&numbered, count);
	numbered_finish(&numbered);
	numbered_say(count);
}

int clmodule_run(void)
{
	numbered_open();
	numbered_begin(&numbered);
	work(ROWS);
	return EXIT_SUCCESS;
}

__attribute__((destructor)) static void end(void)
{
	if (numbered.made)
		work(LATE);
}
