/* SPDX-License-Identifier: MIT */
#ifndef SESSION_COLLECT_H
#define SESSION_COLLECT_H

#include "session/state.h"

/* With `drain` held: has the back ends hand their records on; up to which moment each
 * API's has done so for good, UINT64_MAX where it is none that does. */
uint64_t collect_records(enum collecting how);
void collect_horizons(uint64_t horizons[API_COUNT]);
bool collect_is_waiting(void);

/* So many records of probes are lost, unless recording has ended. Takes no lock. */
void probe_lost(uint64_t count);

#endif
