/* SPDX-License-Identifier: MIT */
#include "session/manifest.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/pathlist.h"
#include "base/strbuf.h"

enum { CHUNK = 1 << 14, LIMIT = 1 << 24 };

void manifest_add(const char *kind, const char *path)
{
	const char *manifest = env_get("COMPUTEPROF_MANIFEST");
	struct strbuf line = STRBUF_INIT;
	struct file file;
	int fd;

	if (!manifest)
		return;
	/* Not created here: who is not the tool's child any more has nobody to tell. */
	fd = open(manifest, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 || file_adopt(&file, fd, manifest))
		return;
	strbuf_string(&line, kind);
	strbuf_char(&line, ' ');
	pathlist_put(&line, path);
	strbuf_char(&line, '\n');
	if (file_write(file.fd, line.data, line.length) < line.length)
		fchmod(file.fd, MANIFEST_CUT);
	strbuf_free(&line);
	file_close(&file);
}

/* Lines are "KIND PATH". */
static bool has_line(const char *text, const char *path, size_t length)
{

	while (*text) {
		const char *end = strchrnul(text, '\n');
		const char *blank = memchr(text, ' ', (size_t)(end - text));

		if (blank && (size_t)(end - blank - 1) == length &&
		    !memcmp(blank + 1, path, length))
			return true;
		text = *end ? end + 1 : end;
	}
	return false;
}

bool manifest_has(const char *path)
{
	const char *manifest = env_get("COMPUTEPROF_MANIFEST");
	struct strbuf text = STRBUF_INIT, line = STRBUF_INIT;
	ssize_t got = 1;
	bool found;
	int fd = manifest ? open(manifest, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;

	if (fd < 0)
		return false;
	while (got > 0 && text.length < LIMIT) {
		char *room = strbuf_reserve(&text, CHUNK);

		got = room ? read(fd, room, CHUNK) : 0;
		text.length += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	pathlist_put(&line, path);
	found = has_line(strbuf_text(&text), strbuf_text(&line), line.length);
	strbuf_free(&text);
	strbuf_free(&line);
	return found;
}
