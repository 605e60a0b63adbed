/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_CALLERS_H
#define VIEW_STACKS_CALLERS_H

#include <stdio.h>

#include "view/stream/stream.h"

struct callers_options {
	bool csv;
	int time_unit; /* as struct printer_page has it */
	bool demangle;
};

/*
 * Prints the time on the GPU by caller: the function of the program itself that is nearest to the
 * launch, not one of a library of the system or of the driver; of a log, by its column of them.
 * Reads the stream to its end. Puts a message if the file has no callers. Returns 0, or -1 with one
 * sentence in `error`; of a damaged file everything before the damage is printed.
 */
int callers_print(FILE *to, struct stream *stream, const struct callers_options *options,
		  struct strbuf *error);

#endif
