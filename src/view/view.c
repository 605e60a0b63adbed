/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include <stddef.h>
#include <string.h>

const struct view *const views[] = {
#define VIEW(name) &view_##name,
#include "view/views.def"
#undef VIEW
	NULL,
};

static const struct view *only; /* see view_set_only */

void view_set_only(const struct view *view)
{
	only = view;
}

const struct view *view_find(const char *path)
{
	size_t length = strlen(path), best = 0;
	const struct view *found = only;

	for (int i = 0; !only && views[i]; i++) {
		size_t tail = strlen(views[i]->extension);

		if (length < tail || tail <= best ||
		    strcmp(path + length - tail, views[i]->extension) != 0)
			continue;
		found = views[i];
		best = tail;
	}
	return found;
}
