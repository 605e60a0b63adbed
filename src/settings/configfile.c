/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "settings/config.h"
#include "settings/configfile.h"
#include "settings/options.h"

#define COUNTER "counter"

static const char blanks[] = " \t\r\f\v";

enum {
	SEMICOLON = 0x1f, /* replaces a semicolon while inih parses the line */
	MISTAKES = 20,	  /* messages per file */
};

/* A part of the file. */
struct span {
	const char *text;
	size_t size;
};

static const char *read_all(struct strbuf *to, int fd)
{
	for (;;) {
		char *room = strbuf_reserve(to, CONFIG_SIZE_LIMIT + 1 - to->length);
		ssize_t got;

		if (!room)
			return "out of memory";
		got = read(fd, room, CONFIG_SIZE_LIMIT + 1 - to->length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return strerror(errno);
		to->length += (size_t)got;
		if (to->length > CONFIG_SIZE_LIMIT)
			return "it is larger than 1 MiB";
		if (got == 0)
			break;
	}
	return to->length && memchr(to->data, 0, to->length) ? "it is not a text file" : NULL;
}

const char *config_read(struct strbuf *to, const char *path)
{
	char *absolute = file_absolute_copy(path);
	const char *reason;
	struct stat status;
	int fd = absolute ? open(absolute, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : -1;

	reason = strerror(errno);
	free(absolute);
	if (fd < 0)
		return reason;
	if (fstat(fd, &status))
		reason = strerror(errno);
	else if (!S_ISREG(status.st_mode))
		reason = "it is not a regular file";
	else if (status.st_size > CONFIG_SIZE_LIMIT)
		reason = "it is larger than 1 MiB";
	else
		reason = read_all(to, fd);
	close(fd);
	return reason;
}

void config_lines_init(struct config_lines *lines, const char *path, const char *text, size_t size)
{
	static const char mark[] = "\xef\xbb\xbf"; /* byte order mark */

	*lines = (struct config_lines){.path = path, .next = text, .end = text + size};
	if (size >= 3 && memcmp(text, mark, 3) == 0)
		lines->next += 3;
}

void config_say(struct config_lines *lines, const char *format, ...)
{
	char text[700];
	va_list arguments;

	if (lines->message_count > MISTAKES)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	say_new("%.300s, line %u: %s", lines->path, lines->line,
		lines->message_count++ < MISTAKES ? text : "further mistakes are not reported");
}

static void trim(struct span *span)
{
	while (span->size && strchr(blanks, span->text[0])) {
		span->text++;
		span->size--;
	}
	while (span->size && strchr(blanks, span->text[span->size - 1]))
		span->size--;
}

/* Returns the next line without leading and trailing blanks; false at the end. */
static bool next_line(struct config_lines *lines, struct span *line)
{
	size_t rest = (size_t)(lines->end - lines->next);
	const char *newline = rest ? memchr(lines->next, '\n', rest) : NULL;

	if (rest == 0)
		return false;
	*line = (struct span){lines->next, newline ? (size_t)(newline - lines->next) : rest};
	lines->next += line->size + (newline ? 1 : 0);
	lines->line++;
	trim(line);
	return true;
}

/* Cuts off the first word, up to a blank or one of inih's separators, which is removed, too. */
static struct span cut_word(struct span *line)
{
	struct span word = {line->text, 0};

	while (word.size < line->size && !strchr(" \t\r\f\v=:", word.text[word.size]))
		word.size++;
	line->text += word.size;
	line->size -= word.size;
	trim(line);
	if (line->size && strchr("=:", line->text[0])) {
		line->text++;
		line->size--;
		trim(line);
	}
	return word;
}

static char *put_setting(struct config_lines *lines, char *to, struct span line)
{
	struct span word = cut_word(&line);
	char *at = to;

	lines->word = word.text;
	lines->hidden = memchr(line.text, ';', line.size) != NULL;
	for (size_t i = 0; i < word.size; i++)
		*at++ = text_lower(word.text[i]);
	*at++ = '=';
	for (size_t i = 0; i < line.size; i++)
		*at++ = line.text[i] == ';' ? SEMICOLON : line.text[i];
	memcpy(at, "\n", 2);
	return to;
}

/* Reads the name of a section [counter NAME]. Returns false after a message if it is invalid. */
static bool take_counter(struct config_lines *lines, const char *section)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789";
	enum { DIGITS = 10 };
	const char *name = section + strlen(COUNTER);
	size_t length;

	name += strspn(name, blanks);
	length = strlen(name);
	if (length == 0 || length >= sizeof(lines->counter) || name[strspn(name, allowed)] ||
	    strchr(allowed + sizeof(allowed) - 1 - DIGITS, *name)) {
		if (!lines->quiet)
			config_say(lines,
				   "[counter NAME] needs a name of up to %zu letters, digits and _",
				   sizeof(lines->counter) - 1);
		return false;
	}
	strcpy(lines->counter, name);
	return true;
}

static bool is_counter(const char *section)
{
	size_t length = strnlen(section, strlen(COUNTER));
	char word[sizeof(COUNTER)];

	memcpy(word, section, length);
	word[length] = '\0';
	return text_same(word, COUNTER) &&
	       (!section[strlen(COUNTER)] || strchr(blanks, section[strlen(COUNTER)]));
}

/* Returns the section's name for inih; NULL if it is unknown. */
static const char *known_section(struct config_lines *lines, const char *section)
{
	const char *known = option_section(section);

	if (is_counter(section))
		return take_counter(lines, section) ? COUNTER : NULL;
	if (!known && !lines->quiet)
		config_say(lines, "unknown section [%s]", section);
	return known;
}

/* An unknown section is passed on without a name, and its settings are ignored. */
static char *put_section(struct config_lines *lines, char *to, struct span line)
{
	const char *end = memchr(line.text, ']', line.size);
	struct span name = {line.text + 1, end ? (size_t)(end - line.text - 1) : 0};
	char copy[CONFIG_LINE_SIZE] = "";
	const char *known = NULL;

	trim(&name);
	memcpy(copy, name.text, name.size);
	lines->sections = true;
	lines->section = lines->line;
	*lines->counter = '\0';
	if (end)
		known = known_section(lines, copy);
	else if (!lines->quiet)
		config_say(lines, "the line of a section must be [NAME]");
	strcpy(to, "[");
	strcat(to, known ? known : "");
	strcat(to, "]\n");
	return to;
}

char *config_lines_next(char *to, int size, void *stream)
{
	struct config_lines *lines = stream;
	struct span line;

	while (next_line(lines, &line)) {
		if (line.size == 0 || strchr("#;", line.text[0]))
			continue;
		if (line.size + sizeof("=\n") > (size_t)size || line.size > 250) {
			if (!lines->quiet)
				config_say(lines,
					   "the line is ignored: it has more than %d bytes",
					   size - (int)sizeof("=\n"));
			continue;
		}
		return line.text[0] == '[' ? put_section(lines, to, line)
					   : put_setting(lines, to, line);
	}
	return NULL;
}

const char *config_lines_value(const struct config_lines *lines, char *to, size_t size,
			       const char *value)
{
	size_t length = strnlen(value, size - 1);

	memcpy(to, value, length);
	to[length] = '\0';
	for (char *at = to; lines->hidden && *at; at++) {
		if (*at == SEMICOLON)
			*at = ';';
	}
	return to;
}
