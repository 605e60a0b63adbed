/* SPDX-License-Identifier: MIT */
#ifndef CLI_RESOLVED_NAME_H
#define CLI_RESOLVED_NAME_H

#include <stdbool.h>
#include <sys/types.h>

/* The name of a file with its links resolved. The file need not exist, but its directory. */
struct resolved_name {
	char *path;	  /* malloc'ed, for small stacks */
	const char *name; /* the last part of `path` */
	dev_t device;	  /* of the directory */
	ino_t inode;
};

/* Returns false for a device or FIFO, which takes several results, and if the directory does not
 * exist or there is no memory. Free the path otherwise. */
bool resolved_name_find(struct resolved_name *to, const char *path);

/* Returns true if two names, which were found, are those of one file. */
bool resolved_name_is_same(const struct resolved_name *one, const struct resolved_name *other);

#endif
