/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_FAMILY_H
#define CLI_TOP_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* A process and its descendants: a launcher and the programs that it has started. */
struct family {
	struct strbuf pids; /* uint32_t, parents before their children */
	uint64_t at;	    /* CLOCK_MONOTONIC ns of the last reading */
};

enum { FAMILY_MOST = 4096 /* processes; further ones are left out */ };

/* Reads the processes again, at most once per second. */
void family_read(struct family *family, uint32_t pid);
void family_free(struct family *family);

static inline const uint32_t *family_list(const struct family *family, size_t *count)
{
	*count = family->pids.length / sizeof(uint32_t);
	return (const uint32_t *)(const void *)family->pids.data;
}

bool family_has(const struct family *family, uint32_t pid);

#endif
