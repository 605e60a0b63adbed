/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_CATALOG_H
#define VIEW_RANKS_RANK_CATALOG_H

#include "base/map.h"
#include "model/catalog.h"

/*
 * One catalog of several processes, the parts: names, modules and call stacks that are equal have
 * one entry; each part has devices, contexts and counter sets of its own. A device is called
 * "rank N: NAME", and devices and contexts are numbered anew, since two parts may have the same
 * number for different ones. Entries are added when they are first asked for, so memory grows with
 * the catalog and not with the records.
 */
struct rank_catalog {
	struct catalog merged;
	uint32_t devices[API_COUNT], contexts[API_COUNT]; /* their numbers so far */
	struct map modules, nodes;			  /* by hash: id */
	/* Of the present part: its catalog, and by id 1 + the id in `merged`, 0: not yet. */
	const struct catalog *part;
	uint64_t rank;
	struct strbuf names, device_ids, context_ids, counter_ids, module_ids, node_ids;
	struct map numbers;   /* by API and number of a device: its new number */
	uint64_t lost_stacks; /* calls for a stack without room: they have none */
};

/* Returns 0, or -1 without memory. The caller calls rank_catalog_close in both cases. */
int rank_catalog_open(struct rank_catalog *catalog);
void rank_catalog_close(struct rank_catalog *catalog);

/* From now on ids are those of `part`, which must stay valid and may grow. */
void rank_catalog_begin(struct rank_catalog *catalog, const struct catalog *part, uint64_t rank);

/* Each converts an id of the part in place. Returns 0, or -1 with one sentence in `error` if there
 * is no room. An unknown device or context becomes UINT32_MAX. */
int rank_catalog_name(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error);
int rank_catalog_device(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error);
int rank_catalog_context(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error);
int rank_catalog_counters(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error);
int rank_catalog_stack(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error);

/* Converts a device's number instead of its id. A device that the part does not describe, or not
 * yet, has a new number, too. */
int rank_catalog_number(struct rank_catalog *catalog, enum api api, uint32_t *number,
			struct strbuf *error);

#endif
