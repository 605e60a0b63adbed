/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_FLAMEVIEW_H
#define VIEW_STACKS_FLAMEVIEW_H

#include "view/format/sink.h"
#include "view/stacks/folded.h"

/* Writes a file. Returns -1 without memory. */
typedef int flameview_put(struct sink *sink, const struct flame *flame,
			  const struct folded *folded);

/* Reads the stream and lets `put` write the file. Results are as those of view.write. */
int flameview_write(const char *path, struct stream *stream, bool gzipped, flameview_put *put,
		    struct strbuf *error);

#endif
