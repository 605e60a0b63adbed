/* SPDX-License-Identifier: MIT */
#ifndef CLI_DISTINCT_H
#define CLI_DISTINCT_H

/*
 * Takes those paths out of the array that name a file which an earlier one names already, by
 * another way or not, and says which. What is left stays in its order. How many are left; -1
 * without memory, which is said.
 */
int distinct_files(char **paths, int count);

#endif
