/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_NAMES_H
#define VIEW_RANKS_RANK_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Where ranks are from. */
enum rank_source {
	RANKS_WORD,   /* the number after the word "rank" in the path, as in rank3/app.log */
	RANKS_NUMBER, /* the number in which the paths differ, as in app.3.log */
	RANKS_ORDER   /* the order of the files, and of the processes in them */
};

/* A file, or a process of a file with several. */
struct rank_name {
	const char *path;
	uint32_t pid;  /* 0 if it is unknown: this number in a path is no rank */
	uint64_t rank; /* is set */
};

/* Sets the ranks. The names are in order, and those of one file stand together. Of several numbers
 * in which the paths differ, the rank is the last one that counts the files from 0 on. */
enum rank_source rank_names(struct rank_name *names, size_t count);

/* Sets the ranks to the numbers after the word "rank", which all paths have. */
void rank_names_by_word(struct rank_name *names, size_t count);

#endif
