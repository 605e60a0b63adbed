/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FLOW_MERGE_H
#define VIEW_ADVISE_FLOW_MERGE_H

#include "view/advise/flow.h"

/*
 * Adds the patterns among the events of a use to those of `patterns` (struct flow_pattern), each
 * with the values behind it. Contents with the same patterns are one entry, whose figures hold for
 * all of them. `found` has the node, memory, argument, object and bytes of the use. Returns -1
 * without memory.
 */
int flow_add_patterns(struct keyed *patterns, const struct flow_pattern *found,
		      const union event *events, size_t count);

#endif
