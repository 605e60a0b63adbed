/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_launches.h"

int rank_launches_order(const void *left, const void *right)
{
	const struct rank_launch *one = left, *other = right;

	if (one->time != other->time)
		return one->time > other->time ? -1 : 1;
	if (one->process != other->process)
		return one->process < other->process ? -1 : 1;
	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	return one->record < other->record ? -1 : one->record > other->record;
}

bool rank_launches_takes(const struct rank_launches *launches, const struct rank_launch *launch)
{
	return launches->count < RANK_LAUNCHES ||
	       rank_launches_order(launch, &launches->list[RANK_LAUNCHES - 1]) < 0;
}

void rank_launches_put(struct rank_launches *launches, const struct rank_launch *launch)
{
	size_t at = launches->count;

	if (!rank_launches_takes(launches, launch))
		return;
	if (at == RANK_LAUNCHES)
		at--;
	else
		launches->count++;
	for (; at && rank_launches_order(launch, &launches->list[at - 1]) < 0; at--)
		launches->list[at] = launches->list[at - 1];
	launches->list[at] = *launch;
}
