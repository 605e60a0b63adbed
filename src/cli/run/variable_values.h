/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_VARIABLE_VALUES_H
#define CLI_RUN_VARIABLE_VALUES_H

/* The environment variables of the profiler, before a program is run. */

/* Returns 0; or -1 after a message that names a wrong value. */
int variable_values_check(void);

/* Prints a message for each variable that looks like one of the profiler, but is none. */
void variable_values_say_unknown(void);

#endif
