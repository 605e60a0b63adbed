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
static int read_file(struct strbuf *to, const char *path, uint64_t limit)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = 1;
	int error;

	if (file < 0)
		return -1;
	while (got > 0 && !to->failed && to->length < limit)
		got = read_chunk(file, to);
	error = errno;
	close(file);
	errno = error;
	return got < 0 ? -1 : 0;
}

int lines_read_file(struct strbuf *to, const char *path)
{
	return read_file(to, path, LIMIT);
}

int lines_read_large_file(struct strbuf *to, const char *path)
{
	return read_file(to, path, LINES_LARGE);
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

static bool has_line_at(struct strbuf *list, size_t at, const char *line, size_t size)
{
	const char *text = strbuf_text(list) + at;

	return list->length - at > size && !memcmp(text, line, size) && text[size] == '\n';
}

/* `seen` maps a hash of line and list to the position of the line in the list, plus 1. */
void lines_add_new(struct map *seen, struct strbuf *list, const char *line, size_t size)
{
	uint64_t key = (text_hash(line, size) ^ (uintptr_t)list * 0x9e3779b97f4a7c15u) | 1;
	uintptr_t at = (uintptr_t)map_get(seen, key);
	bool is_other = at && !has_line_at(list, at - 1, line, size);

	if (at && !is_other)
		return;
	/* Two lines have one hash, or there is no memory for an entry: all lines are compared. */
	if (is_other || map_set(seen, key, (void *)(list->length + 1)))
		if (lines_have(strbuf_text(list), line, size, false))
			return;
	strbuf_append(list, line, size);
	strbuf_char(list, '\n');
}

void lines_put(FILE *stream, const char *text, size_t size)
{
	char shown[256];
	size_t taken;

	for (; size; text += taken, size -= taken)
		fwrite(shown, 1, text_visible(shown, sizeof(shown), text, size, &taken), stream);
}

void lines_put_in(struct strbuf *to, const char *text, size_t size)
{
	while (size) {
		enum { ROOM = 256 };
		char *room = strbuf_reserve(to, ROOM);
		size_t taken;

		if (!room)
			return;
		to->length += text_visible(room, ROOM, text, size, &taken);
		text += taken;
		size -= taken;
	}
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
