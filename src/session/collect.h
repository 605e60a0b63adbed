/* SPDX-License-Identifier: MIT */
#ifndef SESSION_COLLECT_H
#define SESSION_COLLECT_H

#include "session/state.h"

/* With `drain` held: calls the back ends, which deliver their records. collect_horizons gets each
 * API's horizon, UINT64_MAX for an API without one; collect_event_horizons the same for events. */
uint64_t collect_records(enum collecting how);
void collect_horizons(uint64_t horizons[API_COUNT]);
void collect_event_horizons(uint64_t horizons[API_COUNT]);
bool collect_is_waiting(void);

/* Returns true if an API's records are delivered, so some may be in no ring yet. Takes no lock. */
bool collect_is_used(void);

/* Counts records of probes as lost, unless recording has ended. Takes no lock. */
void probe_lost(uint64_t count);

#endif
