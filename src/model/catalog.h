/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CATALOG_H
#define MODEL_CATALOG_H

#include "base/names.h"
#include "model/counterset.h"
#include "model/record.h"
#include "model/stacks.h"

/*
 * The devices, contexts and names of one process that records refer to. The live process fills it
 * from its back ends, recovery and the command line tool from frames. Ids count from 0 in the order
 * of registration. One thread at a time may add entries (callers lock). Entries never move or
 * change, so readers need no lock.
 */
struct device {
	uint32_t id;
	enum api api;
	uint32_t number;   /* as the log's %d and DEVICE line print it; counted per API */
	const char *name;  /* as the driver gives it */
	uint32_t multiprocessors;   /* 0 if unknown */
	uint32_t compute_major;     /* 0 if not NVIDIA's or unknown */
	uint32_t compute_minor;
};

struct context {
	uint32_t id;
	enum api api;
	uint32_t index;  /* from 0, counted per API */
	uint32_t device; /* id of its first device */
};

enum { PROCESS_COMMAND = 4096, PROCESS_BOOT = 16 };

/* A process whose records a merged trace has. Its `pid` is not 0. */
struct process_part {
	uint32_t pid;
	uint32_t reserved;
	uint64_t started; /* ns since 1970 by the clock of its machine */
};

struct process {
	uint32_t pid;
	uint32_t rank;            /* filename_job_rank plus 1; 0: none */
	uint64_t started;         /* CLOCK_MONOTONIC ns: the origin of the timestamp column */
	int64_t monotonic_to_epoch; /* added to CLOCK_MONOTONIC ns gives epoch ns */
	uint8_t boot[PROCESS_BOOT]; /* the kernel's boot id, all 0 if unknown */
	uint32_t command_length;    /* 0 if unknown, at most PROCESS_COMMAND */
	char *command; /* its arguments, any bytes, separated by NUL */
	uint32_t part_count;	    /* of a merged trace: the processes that are known; else 0 */
	struct process_part *parts; /* catalog_parts */
};

enum { CATALOG_DEVICES = 4096, CATALOG_CONTEXTS = 1 << 16, CATALOG_COUNTERS = 1 << 14 };

struct catalog {
	struct process process;
	struct names *names;
	struct device *devices;   /* room for CATALOG_DEVICES, mapped lazily */
	struct context *contexts; /* room for CATALOG_CONTEXTS, mapped lazily */
	struct counter_set **counters; /* room for CATALOG_COUNTERS, mapped lazily */
	uint32_t device_count;
	uint32_t context_count;
	uint32_t counters_count;
	struct stacks stacks;
};

/* A process in a message: "PID", or "PID (rank N)". */
struct process_name {
	char text[32];
};

struct process_name process_name(uint32_t pid, uint32_t rank);

/* Returns when it started, ns since 1970 by the clock of its machine. */
uint64_t process_start(const struct process *process);

/* Returns true if both are of one boot of one machine, which have the same CLOCK_MONOTONIC. */
bool process_shares_clock(const struct process *one, const struct process *other);

int catalog_init(struct catalog *catalog);
void catalog_free(struct catalog *catalog);

/* Allocates PROCESS_COMMAND bytes for process.command; NULL without memory. */
char *catalog_command(struct catalog *catalog);

/* Allocates room for `count` parts in process.parts and sets part_count; NULL without memory.
 * Earlier ones are freed. */
struct process_part *catalog_parts(struct catalog *catalog, uint32_t count);

/* Copy `device` (with its name) or `context` under the next id. Return the id, or -1 when full. */
int catalog_add_device(struct catalog *catalog, const struct device *device);
int catalog_add_context(struct catalog *catalog, const struct context *context);

/* Copies the set. Returns its id, or -1 when full, or if the set is invalid or its device
 * unknown. */
int catalog_add_counters(struct catalog *catalog, const struct counter_set *set);

/* Return NULL for an unknown id. */
const struct device *catalog_device(const struct catalog *catalog, uint32_t id);
const struct context *catalog_context(const struct catalog *catalog, uint32_t id);
const struct counter_set *catalog_counters(const struct catalog *catalog, uint32_t id);

/* Returns the newest set of a device, or NULL. */
const struct counter_set *catalog_counters_of(const struct catalog *catalog, uint32_t device);

#endif
