/* SPDX-License-Identifier: MIT */
#include "view/stacks/flameview.h"

static int put_file(const char *path, bool gzipped, const struct flame *flame,
		    const struct folded *folded, flameview_put *put, struct strbuf *error)
{
	struct sink sink;
	bool no_memory;

	if (sink_open(&sink, path, gzipped, error))
		return -1;
	no_memory = put(&sink, flame, folded);
	if (no_memory)
		strbuf_string(error, "out of memory for the call stacks");
	return sink_close(&sink, error) || no_memory ? -1 : 0;
}

int flameview_write(const char *path, struct stream *stream, bool gzipped, flameview_put *put,
		    struct strbuf *error)
{
	struct flame flame;
	struct folded folded = {0};
	int result = flame_read(&flame, stream, error);

	if (!result)
		result = folded_make(&folded, &flame, error);
	if (!result)
		result = put_file(path, gzipped, &flame, &folded, put, error);
	if (!result)
		flame_put_messages(&flame, stream, folded.stacks, folded.total, folded_unit());
	folded_free(&folded);
	flame_free(&flame);
	return result;
}
