/* SPDX-License-Identifier: MIT */
/* Folded stacks, as flamegraph.pl and other tools read them: "a;b;c 12", one line a stack. */
#include <stdlib.h>

#include "view/stacks/flameview.h"
#include "view/view.h"

static int put_lines(struct sink *sink, const struct flame *flame, const struct folded *folded)
{
	uint32_t count = flame->functions.count;
	uint32_t *path = calloc(count + 1u, sizeof(*path));

	for (uint32_t i = 0; path && i < count; i++) {
		uint64_t units = folded_units(folded, i);

		if (!units)
			continue;
		folded_put_stack(&sink->text, flame, i, path);
		strbuf_printf(&sink->text, " %llu\n", (unsigned long long)units);
		if (sink_flow(sink))
			break;
	}
	free(path);
	return path ? 0 : -1;
}

static int write_folded(const char *path, struct stream *stream, struct strbuf *error)
{
	return flameview_write(path, stream, false, put_lines, error);
}

const struct view view_folded = {
	.extension = ".folded",
	.help = "call stacks with the time on the GPU and CPU, for flamegraph.pl",
	.without_starts = true,
	.of_stacks = true,
	.has = KEPT_STACKS | KEPT_SAMPLES,
	.holds_several = true,
	.write = write_folded,
};
