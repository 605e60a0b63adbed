/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_WATCH_LIST_H
#define CLI_TOP_WATCH_LIST_H

#include "cli/top/family.h"
#include "cli/top/watched.h"

/* The processes that are watched, in the order in which they were found. */
enum { WATCH_MOST = 256 };

struct watch_list {
	uint32_t pid;	       /* this process and its descendants; 0: any */
	const char *directory; /* processes with logs or ring files in it; NULL: any */
	struct watched *list[WATCH_MOST];
	size_t count;
	size_t hidden;	      /* processes that were found but have no place in the list */
	struct family family; /* of `pid` */
	bool seen;	      /* `pid` was in the list; it is read after its end only once */
	struct strbuf reason; /* why the last ring file of `pid` cannot be read; or empty */
	struct strbuf other; /* why another one, of another user or version, was not read; or
				empty */
};

/* Adds running processes: those with a ring file in /dev/shm, in the directory (default: the
 * current one), or mapped by `pid` or a descendant. A process that has ended loses its place if
 * another one needs it. Returns -1 without memory. */
int watch_list_find(struct watch_list *list);

/* Reads the totals of all. Processes that end without totals are removed, unless they have `pid`.
 * Returns -1 without memory. */
int watch_list_update(struct watch_list *list);

/* Removes those that have ended. */
void watch_list_drop_ended(struct watch_list *list);

/* Returns the number of processes that have not ended. */
size_t watch_list_running(const struct watch_list *list);
void watch_list_free(struct watch_list *list);

#endif
