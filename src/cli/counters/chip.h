/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_CHIP_H
#define CLI_COUNTERS_CHIP_H

#include "model/counter.h"

/*
 * What can be counted on which of NVIDIA's chips, known without having one. Which metrics a chip
 * has, and in how many passes they are measured, is in metrics.def: what CUPTI has said
 * (tests/unit/print_metrics makes it, tests/unit/test_metrics compares).
 */
struct chip {
	const char *name;
	unsigned capability;  /* 10 * major + minor */
	const char *products; /* some, or "-" */
};

enum chip_id {
#define CHIP(name, capability, products) CHIP_##name,
#include "cli/counters/chips.def"
#undef CHIP
	CHIP_COUNT
};

extern const struct chip chips[CHIP_COUNT]; /* by compute capability */

/* The chip that `text` names, in any letter case: "GH100", or a product it is in, "H100" or "RTX
 * 4090"; or the first with the compute capability "9.0" or "sm_90". NULL if there is none. */
const struct chip *chip_find(const char *text);

/* The first one of this compute capability, or NULL. */
const struct chip *chip_of_capability(unsigned capability);

/* How the counters of a chip are read. */
enum chip_access {
	CHIP_LOST,    /* compute capability 1.x: by no CUPTI that the profiler could use */
	CHIP_EVENTS,  /* up to 7.2: CUPTI events */
	CHIP_METRICS, /* 7.5 and later: PerfWorks metrics */
};

enum chip_access chip_access(const struct chip *chip);

/* Whether the chip has a metric of the table's formulas. */
bool chip_has(const struct chip *chip, const char *metric, size_t length);

/* A counter on a chip. */
struct chip_counter {
	struct counter_way way; /* what it is made of; COUNTER_NONE: it cannot be had */
	bool event;		/* the formula is one of events */
	unsigned passes;	/* 0: not known */
	char missing[128];	/* the metric that the chip lacks, or empty */
};

struct chip_counter chip_counter(const struct chip *chip, int id);

/* The first formula of `metric` (see model/counter.h) that the chip has all metrics of. If there
 * is none, `missing` gets what the first formula lacks. */
struct counter_way chip_way(const struct chip *chip, const char *metric, char *missing,
			    size_t size);

#endif
