/* SPDX-License-Identifier: MIT */
#ifndef TESTS_STDERR_CAPTURE_H
#define TESTS_STDERR_CAPTURE_H

#include <stdio.h>
#include <unistd.h>

/* Include after cmocka.h: collects the output on stderr between listen and hear. */

static FILE *heard_stream;
static int heard_kept = -1;

static inline void listen_now(void)
{
	heard_stream = tmpfile();
	assert_non_null(heard_stream);
	heard_kept = dup(2);
	dup2(fileno(heard_stream), 2);
}

static inline const char *hear(void)
{
	static char heard[8192];

	dup2(heard_kept, 2);
	close(heard_kept);
	rewind(heard_stream);
	heard[fread(heard, 1, sizeof(heard) - 1, heard_stream)] = '\0';
	fclose(heard_stream);
	return heard;
}

#endif
