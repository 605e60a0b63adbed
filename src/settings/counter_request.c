/* SPDX-License-Identifier: MIT */
#include "settings/counter_request.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_there(const struct counter_choices *choices, const char *name, int id)
{
	for (unsigned i = 0; i < choices->count; i++) {
		const struct counter_choice *choice = &choices->items[i];

		if (id >= 0 ? choice->id == id : choice->id < 0 && text_same(choice->name, name))
			return true;
	}
	return false;
}

struct counter_choice *counter_requests_add(struct counter_choices *choices, const char *name,
					    int id)
{
	struct counter_choice *items, *choice;

	if (choices->count == COUNTER_REQUESTS_MOST || is_there(choices, name, id))
		return NULL;
	items = realloc(choices->items, (choices->count + 1) * sizeof(*items));
	if (!items)
		return NULL;
	choices->items = items;
	choice = &items[choices->count];
	*choice = (struct counter_choice){.name = strdup(name), .id = id};
	if (!choice->name)
		return NULL;
	choices->count++;
	return choice;
}

void counter_requests_free(struct counter_choices *choices)
{
	for (unsigned i = 0; i < choices->count; i++) {
		free(choices->items[i].name);
		free(choices->items[i].metric);
		free(choices->items[i].event);
		free(choices->items[i].help);
		free(choices->items[i].unit);
	}
	free(choices->items);
	*choices = (struct counter_choices){0};
}
