/* SPDX-License-Identifier: MIT */
#include "cli/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { CHUNK = 1 << 16, LIMIT = 64 << 20 };

static ssize_t read_chunk(int file, struct strbuf *to)
{
	char *room = strbuf_reserve(to, CHUNK);
	ssize_t got;

	if (!room) {
		errno = ENOMEM;
		return -1;
	}
	do
		got = read(file, room, CHUNK);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		to->length += got;
	return got;
}

/* Opens without blocking, since `path` may be a FIFO. */
int lines_read_file(struct strbuf *to, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = 1;
	int error;

	if (file < 0)
		return -1;
	while (got > 0 && to->length < LIMIT)
		got = read_chunk(file, to);
	error = errno;
	close(file);
	errno = error;
	return got < 0 ? -1 : 0;
}

const char *lines_next(const char **at, size_t *length)
{
	const char *line = *at;

	if (!*line)
		return NULL;
	*length = strcspn(line, "\n");
	*at = line + *length + (line[*length] == '\n');
	return line;
}

bool lines_have(const char *list, const char *line, size_t size, bool last)
{
	size_t length;
	const char *at = list, *next;

	while ((next = lines_next(&at, &length)))
		if (length == size && !memcmp(next, line, size) && (!last || !*at))
			return true;
	return false;
}

void lines_put(FILE *stream, const char *text, size_t size)
{
	char shown[256];
	size_t taken;

	for (; size; text += taken, size -= taken)
		fwrite(shown, 1, text_visible(shown, sizeof(shown), text, size, &taken), stream);
}

void lines_paragraph(const char *text, unsigned indent, unsigned width)
{
	unsigned column = 0;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (column && column + 1 + length > width) {
			putchar('\n');
			column = 0;
		}
		column += (unsigned)printf("%*s%.*s", column ? 1 : (int)indent, "", (int)length,
					   text);
		text += length + (text[length] == ' ');
	}
	putchar('\n');
}
