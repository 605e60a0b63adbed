/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include <stddef.h>
#include <string.h>

#include "view/tables/json.h"
#include "view/timeline/chrome.h"
#include "view/timeline/pftrace.h"

const struct view *const views[] = {
	&view_sqlite,
	&view_nvprof,
	&json_view,
	&view_chrome_gz,
	&view_chrome,
	&view_pftrace,
	&view_nsys,
	NULL,
};

const struct view *view_find(const char *path)
{
	size_t length = strlen(path), best = 0;
	const struct view *found = NULL;

	for (int i = 0; views[i]; i++) {
		size_t tail = strlen(views[i]->extension);

		if (length < tail || tail <= best ||
		    strcmp(path + length - tail, views[i]->extension) != 0)
			continue;
		found = views[i];
		best = tail;
	}
	return found;
}
