/* SPDX-License-Identifier: MIT */
#ifndef CLI_TAIL_TAIL_FILE_H
#define CLI_TAIL_TAIL_FILE_H

#include <stdint.h>
#include <sys/types.h>

/* A file that grows: its whole lines, and whether another file or another run has taken its
 * place. */
enum {
	TAIL_FILE_BLOCK = 1 << 16, /* bytes returned at once, unless a line is longer; */
	TAIL_FILE_LINE = 1 << 24,  /* longer lines are an error */
	TAIL_FILE_MARK = 256,
};

enum tail_change {
	TAIL_SAME,
	TAIL_ABSENT, /* no file is open, and errno says why there is none at the path */
	TAIL_OTHER,  /* the path names another file than the open one, or one for the first time */
	TAIL_REWRITTEN, /* the open file was emptied and written again */
};

struct tail_file {
	const char *path; /* the caller's */
	int fd;		  /* -1: not open */
	dev_t device;
	ino_t inode;
	uint64_t at; /* offset of the next line */

	/* private */
	char *bytes;
	size_t room;
	char mark[TAIL_FILE_MARK]; /* the last bytes that were read, before offset `marked` */
	size_t mark_size;
	uint64_t marked;
};

void tail_file_init(struct tail_file *file, const char *path);
void tail_file_close(struct tail_file *file);

/* Compares the open file with the one at its path. */
enum tail_change tail_file_check(struct tail_file *file);

/* Opens the file at the path, from its start; the open one is closed. Returns 0, or -1 with a
 * constant text in `reason`, or NULL for the error in errno. Only regular files are opened, and not
 * that of the standard output, which would grow without end. */
int tail_file_open(struct tail_file *file, const char **reason);

/* Reads the whole lines from `at` on, at most about a block, and moves `at` behind them. Returns
 * their size; 0 if there is none yet, or if the file was rewritten; -1 with errno. `lines` is valid
 * until the next call. */
ssize_t tail_file_lines(struct tail_file *file, const char **lines);

#endif
