/* SPDX-License-Identifier: MIT */
#include "session/manifest.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/strbuf.h"

void manifest_add(const char *kind, const char *path)
{
	const char *manifest = env_get("COMPUTEPROF_MANIFEST");
	struct strbuf line = STRBUF_INIT;
	int fd;

	if (!manifest)
		return;
	/* Not created here: who is not the tool's child any more has nobody to tell. */
	fd = open(manifest, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return;
	strbuf_string(&line, kind);
	strbuf_char(&line, ' ');
	strbuf_string(&line, path);
	strbuf_char(&line, '\n');
	file_write(fd, line.data, line.length);
	strbuf_free(&line);
	close(fd);
}
