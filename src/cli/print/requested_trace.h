/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_REQUESTED_TRACE_H
#define CLI_PRINT_REQUESTED_TRACE_H

#include <stdbool.h>

/* The trace that the user has requested, by an option, a variable or the configuration file. */
struct requested_trace {
	bool of_all;	   /* each API that is on has one, */
	bool whole;	   /* an API has one that does not begin at the first range */
	bool ranges_asked; /* COMPUTE_PROFILE_TRACE_FROM=ranges is for one of them */
};

/* Call before the tool sets variables of its own traces. */
struct requested_trace requested_trace_find(void);

#endif
