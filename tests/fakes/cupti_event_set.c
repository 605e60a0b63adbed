/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cupti_event.h"
#include "cupti_doors.h"

/* Events are assigned to groups, and groups to sets: each event goes to the first set in which its
 * domain has a free register. */

/* Returns NULL if the set has no room for it. */
static cupti_event_group group_for(cuda_context context, struct cupti_event_set *set,
				   const struct event_domain *domain)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (set->groups[i]->domain == domain)
			return set->groups[i]->count < event_registers(domain) ? set->groups[i]
									       : NULL;
	set->groups = realloc(set->groups, (set->count + 1) * sizeof(*set->groups));
	if (!set->groups)
		abort();
	set->groups[set->count] = event_group_make(context, domain);
	return set->groups[set->count++];
}

static void add_event(cuda_context context, struct cupti_event_sets *sets,
		      const struct event_row *event)
{
	cupti_event_group group = NULL;

	for (uint32_t i = 0; i < sets->count && !group; i++)
		group = group_for(context, &sets->sets[i], event->domain);
	if (!group) {
		sets->sets = realloc(sets->sets, (sets->count + 1) * sizeof(*sets->sets));
		if (!sets->sets)
			abort();
		sets->sets[sets->count] = (struct cupti_event_set){0};
		group = group_for(context, &sets->sets[sets->count++], event->domain);
	}
	if (group->count == MOST_IN_GROUP)
		complain("too many events");
	group->events[group->count++] = event;
}

int cuptiEventGroupSetsCreate(cuda_context context, size_t size, uint32_t *ids,
			      struct cupti_event_sets **made)
{
	uint32_t id;
	int status = event_gate_of_context("cuptiEventGroupSetsCreate", context, &id);
	struct cupti_event_sets *sets;
	EVENTS_LOCKED();

	if (status)
		return status;
	if (!ids || !made || !size || size % sizeof(*ids))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	for (size_t i = 0; i < size / sizeof(*ids); i++)
		if (!event_of(ids[i]))
			return cupti_answer(CUPTI_INVALID_EVENT);
	sets = calloc(1, sizeof(*sets));
	if (!sets)
		abort();
	for (size_t i = 0; i < size / sizeof(*ids); i++)
		add_event(context, sets, event_of(ids[i]));
	*made = sets;
	return CUPTI_DONE;
}

static int release_set(struct cupti_event_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		int status = event_gate_of_group("cuptiEventGroupSetsDestroy", set->groups[i]);

		if (status)
			return status;
		if (set->groups[i]->enabled)
			complain("sets are released while they are enabled");
		set->groups[i]->released = true;
	}
	free(set->groups);
	return CUPTI_DONE;
}

int cuptiEventGroupSetsDestroy(struct cupti_event_sets *sets)
{
	int status = CUPTI_DONE;
	EVENTS_LOCKED();

	for (uint32_t i = 0; i < sets->count && !status; i++)
		status = release_set(&sets->sets[i]);
	if (status)
		return status;
	free(sets->sets);
	free(sets);
	return CUPTI_DONE;
}
