/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_LAUNCH_STACKS_H
#define BACKEND_CUDA_LAUNCH_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"
#include "settings/settings.h"

/*
 * The call stacks of the program's calls. They are found when a call is entered, in the program's
 * thread, and joined to CUPTI's records by its correlation id. A table has the newest ids.
 */

/* Stacks are requested. False: the others need not be called, which makes each record cheaper. */
extern bool launch_stacks_on;

/* Returns true if the settings request stacks, for the first time: calls must be subscribed to then
 * (subscription_want_stacks). */
bool launch_stacks_start(const struct settings *settings);

/* A call is entered or left. */
void launch_stacks_note(const struct cupti_call *call);

/* Returns the stack of the call, 0 if it is not known. */
uint32_t launch_stacks_of(uint32_t correlation);

/* A node of a graph with this id of CUPTI's is made, by a call of this thread; or is a copy of
 * another one, as those of executable graphs are. */
void launch_stacks_node(uint64_t node);
void launch_stacks_node_copied(uint64_t node, uint64_t original);

/* `launch` is the stack of a graph's launch. Returns it with that of the call that made the node
 * inside of it, after a frame named [graph node]; or unchanged if that is not known. With the drain
 * lock held. */
uint32_t launch_stacks_in_graph(uint32_t launch, uint64_t node);

#endif
