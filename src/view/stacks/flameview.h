/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_FLAMEVIEW_H
#define VIEW_STACKS_FLAMEVIEW_H

#include "view/format/sink.h"
#include "view/stacks/folded.h"

/* Reads the stream and lets `put` write the file. `put` returns -1 without memory. Results are as
 * those of view.write. */
int flameview_write(const char *path, struct stream *stream, bool gzipped,
		    int (*put)(struct sink *sink, const struct flame *flame,
			       const struct folded *folded),
		    struct strbuf *error);

#endif
