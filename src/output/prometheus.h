/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_PROMETHEUS_H
#define OUTPUT_PROMETHEUS_H

#include "base/busy.h"
#include "base/strbuf.h"
#include "model/catalog.h"

/*
 * metrics.prom: a process's sums in the text format of Prometheus, as node_exporter's textfile
 * collector reads it (doc/METRICS).
 */

/* The sums of the finished records of one device. */
struct prometheus_device {
	uint64_t kernels;
	uint64_t kernel_time; /* ns */
	struct prometheus_copies {
		uint64_t count;
		uint64_t bytes;
		uint64_t time; /* ns */
	} copies[DIRECTION_COUNT];
	struct busy busy;
};

struct prometheus_function {
	uint32_t name; /* in the name table */
	uint64_t calls;
	uint64_t time; /* ns */
};

struct prometheus_values {
	const struct catalog *catalog;
	struct prometheus_device *const *devices; /* by device id; NULL: it has none */
	uint32_t device_count;
	const struct prometheus_function *functions; /* those without a name are none */
	uint32_t function_room;
	uint64_t memory; /* bytes in use, and the most so far */
	uint64_t peak;
	uint64_t lost; /* records that could not be recorded or written */
	uint64_t recorded; /* ns since the process is recorded */
	const char *host;
	const char *rank; /* "" without one */
};

/* Appends the contents of the file. */
void prometheus_put(struct strbuf *to, const struct prometheus_values *values);

#endif
