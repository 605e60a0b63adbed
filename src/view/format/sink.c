/* SPDX-License-Identifier: MIT */
#include "view/format/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "view/format/gzip.h"

enum { ENOUGH = 1 << 18 };

int sink_open(struct sink *sink, const char *path, bool gzipped, struct strbuf *error)
{
	*sink = (struct sink){.path = path, .fd = -1};
	if (gzipped) {
		sink->gzip = gzip_new(error);
		if (!sink->gzip)
			return -1;
	}
	if (!path)
		return 0;
	sink->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (sink->fd >= 0)
		return 0;
	strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
	gzip_free(sink->gzip);
	return -1;
}

static int write_text(struct sink *sink, bool last)
{
	struct strbuf *text = &sink->text;

	if (text->failed)
		sink->error = ENOMEM;
	if (sink->error)
		return -1;
	if (sink->gzip)
		sink->error = gzip_write(sink->gzip, sink->fd, text->data, text->length, last);
	else if (file_write(sink->fd, text->data, text->length) < text->length)
		sink->error = errno ? errno : EIO;
	text->length = 0;
	return sink->error ? -1 : 0;
}

int sink_flow(struct sink *sink)
{
	return sink->text.length < ENOUGH && !sink->text.failed ? 0 : write_text(sink, false);
}

int sink_close(struct sink *sink, struct strbuf *error)
{
	int result = write_text(sink, true);

	if (sink->path && close(sink->fd) && !sink->error) {
		sink->error = errno;
		result = -1;
	}
	if (result && !error->length)
		strbuf_printf(error, "cannot write %s: %s", sink->path, strerror(sink->error));
	gzip_free(sink->gzip);
	strbuf_free(&sink->text);
	return result;
}
