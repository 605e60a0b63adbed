/* SPDX-License-Identifier: MIT */
#include "logtext.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *logtext_load(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat facts;
	char *text = NULL;
	ssize_t got = -1;

	if (file < 0)
		return NULL;
	if (!fstat(file, &facts))
		text = malloc((size_t)facts.st_size + 1);
	if (text)
		got = read(file, text, (size_t)facts.st_size);
	close(file);
	if (got < 0) {
		free(text);
		return NULL;
	}
	text[got] = 0;
	return text;
}

/* Cuts `text` at each `end`. Returns a NULL-terminated list; the caller frees it. */
static char **cut(char *text, char end, size_t *count)
{
	size_t pieces = 1, used = 0;
	char **list;

	for (const char *at = text; *at; at++)
		pieces += *at == end;
	list = malloc((pieces + 1) * sizeof(*list));
	if (!list)
		abort();
	for (char *next = text; next; used++) {
		list[used] = next;
		next = strchr(next, end);
		if (next)
			*next++ = 0;
	}
	list[used] = NULL;
	*count = used;
	return list;
}

bool logtext_read(struct logtext *log, const char *path)
{
	size_t lines, columns;

	*log = (struct logtext){.text = logtext_load(path)};
	if (!log->text)
		return false;
	log->rows = cut(log->text, '\n', &lines);
	for (size_t i = 0; i < lines; i++) {
		char *line = log->rows[i];

		if (!strncmp(line, "NV_", 3))
			log->notes++;
		else if (!*line || *line == '#')
			continue;
		else if (!log->columns)
			log->columns = cut(line, ',', &columns);
		else
			log->rows[log->row_count++] = line;
	}
	return log->columns != NULL;
}

void logtext_free(struct logtext *log)
{
	free(log->columns);
	free(log->rows);
	free(log->text);
	*log = (struct logtext){0};
}

bool logtext_value(const struct logtext *log, size_t row, const char *column,
		   char value[LOGTEXT_VALUE])
{
	const char *at = log->rows[row];
	size_t length;

	value[0] = 0;
	for (char **name = log->columns; *name; name++) {
		length = at ? strcspn(at, ",") : 0;
		if (!strcmp(*name, column)) {
			if (length >= LOGTEXT_VALUE)
				length = LOGTEXT_VALUE - 1;
			if (at)
				memcpy(value, at, length);
			value[length] = 0;
			return true;
		}
		at = at && at[length] ? at + length + 1 : NULL;
	}
	return false;
}
