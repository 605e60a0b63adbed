/* SPDX-License-Identifier: MIT */
/* Preprocessing tokens of OpenCL C (C99 6.4). */
#include "rewrite/token.h"

#include <ctype.h>
#include <string.h>

/* The text without joined lines; `lines[i]` and `columns[i]` are the place of its byte i. */
struct reader {
	struct arena *arena;
	const char *file, *text;
	unsigned *lines, *columns;
	size_t length, at;
	bool space, first;
};

/* Returns the length of the end of a line, or 0: also that of old Macintosh files. */
static size_t line_end(const char *text, size_t length)
{
	if (length >= 2 && text[0] == '\r' && text[1] == '\n')
		return 2;
	return length && (*text == '\n' || *text == '\r');
}

/* Returns the length of a backslash and the end of the line behind it, or 0. As for clang, there
 * may be blanks between them. */
static size_t joint(const char *text, size_t length)
{
	size_t size = 1, end;

	if (*text != '\\')
		return 0;
	while (size < length && memchr(" \t\v\f", text[size], 4))
		size++;
	end = line_end(text + size, length - size);
	return end ? size + end : 0;
}

/* Two bytes of value 0 follow the text. */
static void join_lines(struct reader *reader, const char *text, size_t length)
{
	char *to = arena_take(reader->arena, length + 2);
	unsigned line = 1, column = 1;
	size_t size;

	reader->text = to;
	reader->lines = arena_take(reader->arena, (length + 2) * sizeof(*reader->lines));
	reader->columns = arena_take(reader->arena, (length + 2) * sizeof(*reader->columns));
	for (size_t i = 0; i < length; i++) {
		size = joint(text + i, length - i);
		if (size) {
			i += size - 1;
			line++;
			column = 1;
			continue;
		}
		reader->lines[reader->length] = line;
		reader->columns[reader->length] = column++;
		size = line_end(text + i, length - i);
		to[reader->length++] = size ? '\n' : text[i];
		if (!size)
			continue;
		i += size - 1;
		line++;
		column = 1;
	}
}

/* Returns the length of a comment at the reader's place, or 0. */
static size_t comment(const struct reader *reader)
{
	const char *text = reader->text + reader->at, *end;
	size_t left = reader->length - reader->at;

	if (left < 2 || text[0] != '/')
		return 0;
	if (text[1] == '/') {
		end = memchr(text, '\n', left);
		return end ? (size_t)(end - text) : left;
	}
	if (text[1] != '*')
		return 0;
	end = memmem(text + 2, left - 2, "*/", 2);
	return end ? (size_t)(end - text) + 2 : left;
}

static void skip_space(struct reader *reader)
{
	size_t size;

	while (reader->at < reader->length) {
		size = comment(reader);
		if (!size && !isspace((unsigned char)reader->text[reader->at]))
			return;
		if (reader->text[reader->at] == '\n')
			reader->first = true;
		reader->space = true;
		reader->at += size ? size : 1;
	}
}

static bool is_word(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_' || byte == '$' || (byte & 0x80);
}

static size_t number_length(const char *text)
{
	size_t length = 1;

	while (is_word(text[length]) || text[length] == '.' ||
	       ((text[length] == '+' || text[length] == '-') &&
		memchr("eEpP", text[length - 1], 4)))
		length++;
	return length;
}

/* A constant that does not end goes up to the end of its line. */
static size_t quoted_length(const char *text, size_t left)
{
	size_t length = 1;

	while (length < left && text[length] != *text && text[length] != '\n')
		length += text[length] == '\\' && length + 1 < left ? 2 : 1;
	return length < left && text[length] == *text ? length + 1 : length;
}

static size_t other_length(const char *text)
{
	static const char *const longer[] = {"...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
					     "<=",  ">=",  "==",  "!=", "&&", "||", "*=", "/=",
					     "%=",  "+=",  "-=",  "&=", "^=", "|=", "##"};

	for (size_t i = 0; i < sizeof(longer) / sizeof(longer[0]); i++)
		if (!strncmp(text, longer[i], strlen(longer[i])))
			return strlen(longer[i]);
	return 1;
}

static void measure(struct token *token, const char *text, size_t left)
{
	bool digit = isdigit((unsigned char)text[*text == '.' ? 1 : 0]);

	token->length = 1;
	if (digit) {
		token->kind = TOKEN_NUMBER;
		token->length = number_length(text);
	} else if (is_word(*text)) {
		token->kind = TOKEN_WORD;
		while (is_word(text[token->length]))
			token->length++;
	} else if (*text == '"' || *text == '\'') {
		token->kind = TOKEN_STRING;
		token->length = quoted_length(text, left);
	} else {
		token->kind = TOKEN_OTHER;
		token->length = other_length(text);
	}
	if (token->length > left)
		token->length = left;
}

static struct token *next_token(struct reader *reader)
{
	struct token *token = arena_take(reader->arena, sizeof(*token));

	skip_space(reader);
	token->text = reader->text + reader->at;
	token->space = reader->space;
	token->first = reader->first;
	token->at.file = reader->file;
	reader->space = reader->first = false;
	if (reader->at == reader->length) {
		token->first = true;
		return token;
	}
	token->at.line = reader->lines[reader->at];
	token->at.column = reader->columns[reader->at];
	measure(token, token->text, reader->length - reader->at);
	reader->at += token->length;
	return token;
}

struct token *token_read(struct arena *arena, const char *file, const char *text, size_t length)
{
	struct reader reader = {.arena = arena, .file = file, .first = true};
	struct token *first = NULL, **end = &first, *token;

	join_lines(&reader, text, length);
	do {
		token = next_token(&reader);
		*end = token;
		end = &token->next;
	} while (token->kind != TOKEN_END);
	return first;
}

bool token_is(const struct token *token, const char *text)
{
	return token->length == strlen(text) && !memcmp(token->text, text, token->length) &&
	       token->kind != TOKEN_END;
}

struct token *token_copy(struct arena *arena, const struct token *token)
{
	struct token *copy = arena_take(arena, sizeof(*copy));

	*copy = *token;
	copy->next = NULL;
	return copy;
}
