/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_CHIP_H
#define CLI_COUNTERS_CHIP_H

#include "model/counter.h"

/*
 * The counters that NVIDIA's chips support, known without such a chip. metrics.def has the metrics
 * of each chip and their number of passes, as CUPTI reports them (tests/unit/print_metrics
 * generates it, tests/unit/test_metrics compares it).
 */
struct chip {
	const char *name;
	unsigned capability;  /* 10 * major + minor */
	const char *products; /* examples of products, or "-" */
};

enum chip_id {
#define CHIP(name, capability, products) CHIP_##name,
#include "cli/counters/chips.def"
#undef CHIP
	CHIP_COUNT
};

extern const struct chip chips[CHIP_COUNT]; /* ordered by compute capability */

/* Finds the chip named by `text`, in any letter case: a chip "GH100", or one of its products,
 * "H100" or "RTX 4090"; for a compute capability, "9.0" or "sm_90", the first chip of it. NULL if
 * there is none. */
const struct chip *chip_find(const char *text);

/* Returns the first chip of this compute capability, or NULL. */
const struct chip *chip_of_capability(unsigned capability);

/* The interface that reads the counters of a chip. */
enum chip_access {
	CHIP_LOST,    /* compute capability 1.x: no supported CUPTI reads them */
	CHIP_EVENTS,  /* up to 7.2: CUPTI events */
	CHIP_METRICS, /* 7.5 and later: PerfWorks metrics */
};

enum chip_access chip_access(const struct chip *chip);

/* Returns true if the chip has the metric; only metrics of the table's formulas are known. */
bool chip_has(const struct chip *chip, const char *metric, size_t length);

/* The availability of a counter on a chip. */
struct chip_counter {
	struct counter_way way; /* its formula; COUNTER_NONE: not available */
	bool event;		/* the formula uses CUPTI events */
	unsigned passes;	/* 0: unknown */
	char missing[128];	/* the metric that the chip lacks, or empty */
};

struct chip_counter chip_counter(const struct chip *chip, int id);

/* Returns the first formula of `metric` (see model/counter.h) all of whose metrics the chip has. If
 * there is none, sets `missing` to the first metric that the first formula lacks. */
struct counter_way chip_formula(const struct chip *chip, const char *metric, char *missing,
				size_t size);

#endif
