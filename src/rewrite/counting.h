/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_COUNTING_H
#define REWRITE_COUNTING_H

#include <stdbool.h>

#include "base/strbuf.h"

struct unit;
struct function;

/* Where the sums are made before they are added to a site's counters. */
enum sums {
	SUMS_WORK_ITEM,	 /* in private memory, until a work-item ends */
	SUMS_WORK_GROUP, /* in local memory: work-items of a group run one after another */
	SUMS_ACCESS,	 /* nowhere: each access is added at once */
};

enum { COUNTING_WORDS = 16 }; /* 32-bit words of a site's counters */

/* Returns false if the name is wrong. */
bool counting_parse(const char *name, enum sums *sums);
const char *counting_name(enum sums sums);

/* Returns SUMS_ACCESS if that memory is too small for so many slots of a kernel. */
enum sums counting_choose(enum sums sums, unsigned slots);

struct counting {
	enum sums sums;
	unsigned stripes; /* sets of counters, a power of two: each work-group uses one of them */
	unsigned slots;	  /* the largest number that a kernel has */
};

/* Appends the functions that count. */
void counting_put(const struct unit *unit, const struct counting *counting, struct strbuf *to);

/* Appends the functions that begin and end a work-item of the kernel, to stand before it. */
void counting_put_kernel(const struct unit *unit, const struct function *kernel,
			 const struct counting *counting, struct strbuf *to);

/* The further parameters of a kernel, and the bytes of the second one: 0 without. */
const char *counting_parameters(enum sums sums);
unsigned counting_local(enum sums sums, const struct function *kernel);

/* Appends the start of a kernel's body, and the end of a work-item. */
void counting_put_start(const struct function *kernel, enum sums sums, struct strbuf *to);
void counting_put_end(const struct function *kernel, enum sums sums, struct strbuf *to);

#endif
