/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_VARIABLE_VALUES_H
#define CLI_RUN_VARIABLE_VALUES_H

#include <stdbool.h>

/* The environment variables of the profiler, before a program is run. */

/* Returns 0; or -1 after a message that names a wrong value. */
int variable_values_check(void);

/* Returns true if samples of the CPU are requested by the variable. */
bool variable_values_want_samples(void);

/* Tells the library in the program what it needs for an analysis of values. */
void variable_values_prepare(void);

/* Returns true if uses of memory are requested by the variable: totals do not have them. */
bool variable_values_want_objects(void);

/* Prints what an analysis of values costs, if one is requested and is not switched off. Call when
 * the names of all outputs are set. */
void variable_values_say_cost(void);

/* Prints a message for each variable that looks like one of the profiler, but is none. */
void variable_values_say_unknown(void);

#endif
