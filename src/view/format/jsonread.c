/* SPDX-License-Identifier: MIT */
#include "view/format/jsonread.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

struct reader {
	const char *at, *start, *end;
	const char *problem; /* the first one, or NULL */
	int depth;
};

static struct json_value *read_value(struct reader *reader);

static void *fail(struct reader *reader, const char *problem)
{
	if (!reader->problem)
		reader->problem = problem;
	return NULL;
}

static void pass_blanks(struct reader *reader)
{
	while (reader->at < reader->end && memchr(" \t\r\n", *reader->at, 4))
		reader->at++;
}

/* Passes over blanks and `byte`; false: it is not there. */
static bool pass(struct reader *reader, char byte)
{
	pass_blanks(reader);
	if (reader->at == reader->end || *reader->at != byte)
		return false;
	reader->at++;
	return true;
}

/* Returns the value of the four digits after \u; -1 if they are not hexadecimal. */
static int read_hex(struct reader *reader)
{
	static const char digits[] = "0123456789abcdef";
	int value = 0;

	for (int i = 0; i < 4; i++) {
		char byte = reader->at < reader->end ? *reader->at++ : 'x';
		const char *digit = strchr(digits, byte >= 'A' && byte <= 'F' ? byte + 32 : byte);

		if (!digit || !byte)
			return -1;
		value = value * 16 + (int)(digit - digits);
	}
	return value;
}

/* Returns the first byte after the character. */
static char *put_utf8(char *to, unsigned code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}
	if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

/* As read_escape, after \u. Returns NULL for wrong digits. Half of a surrogate pair becomes U+FFFD.
 */
static char *read_code(struct reader *reader, char *to)
{
	int code = read_hex(reader), low;

	if (code < 0)
		return NULL;
	if (code >= 0xd800 && code < 0xdc00 && reader->end - reader->at >= 6 &&
	    reader->at[0] == '\\' && reader->at[1] == 'u') {
		reader->at += 2;
		low = read_hex(reader);
		if (low < 0)
			return NULL;
		code = low >= 0xdc00 && low < 0xe000
			       ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
			       : 0xfffd;
	}
	return put_utf8(to, code >= 0xd800 && code < 0xe000 ? 0xfffd : (unsigned)code);
}

/* Call after the backslash. Writes the character that the escape sequence stands for to `to`, and
 * returns the byte after it; NULL for an unknown sequence. */
static char *read_escape(struct reader *reader, char *to)
{
	static const char codes[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	char byte = reader->at < reader->end ? *reader->at++ : '\0';
	const char *code = byte ? strchr(codes, byte) : NULL;

	if (byte == 'u')
		return read_code(reader, to);
	if (!code)
		return NULL;
	*to++ = bytes[code - codes];
	return to;
}

/* Returns the end of the string at `at`, its last quote; NULL: there is none. */
static const char *end_of_string(const char *at, const char *end)
{
	for (; at < end && *at != '"'; at++)
		if (*at == '\\' && ++at == end)
			break;
	return at < end ? at : NULL;
}

/* After the first quote. No escape sequence is shorter than what it stands for. Returns a text that
 * the caller frees, or NULL. */
static char *read_string(struct reader *reader, size_t *length)
{
	const char *end = end_of_string(reader->at, reader->end);
	char *text, *to;

	if (!end)
		return fail(reader, "a string has no end");
	text = to = malloc((size_t)(end - reader->at) + 1);
	if (!text)
		return fail(reader, "out of memory");
	while (to && reader->at < end) {
		if (*reader->at == '\\') {
			reader->at++;
			to = read_escape(reader, to);
		} else {
			*to++ = *reader->at++;
		}
	}
	if (!to || reader->at != end) {
		free(text);
		return fail(reader, "a string has an unknown escape sequence");
	}
	reader->at++;
	*to = '\0';
	*length = (size_t)(to - text);
	return text;
}

static bool read_member_name(struct reader *reader, char **name)
{
	size_t length;

	if (!pass(reader, '"')) {
		fail(reader, "the name of a member is missing");
		return false;
	}
	*name = read_string(reader, &length);
	if (*name && !pass(reader, ':'))
		fail(reader, "a colon is missing");
	return !reader->problem;
}

/* After the bracket. */
static void read_list(struct reader *reader, struct json_value *list, char end)
{
	struct json_value **last = &list->first;

	if (pass(reader, end))
		return;
	do {
		char *name = NULL;

		if (end == '}' && !read_member_name(reader, &name)) {
			free(name);
			return;
		}
		*last = read_value(reader);
		if (!*last) {
			free(name);
			return;
		}
		(*last)->name = name;
		last = &(*last)->next;
	} while (pass(reader, ','));
	if (!pass(reader, end))
		fail(reader, "a comma or a bracket is missing");
}

static void read_number(struct reader *reader, struct json_value *value)
{
	const char *from = reader->at;
	char digits[24] = "";
	size_t length;

	while (reader->at < reader->end && memchr("+-.eE0123456789", *reader->at, 15))
		reader->at++;
	length = (size_t)(reader->at - from);
	value->type = JSON_NUMBER;
	if (!length)
		fail(reader, "a value is missing");
	if (length < sizeof(digits))
		memcpy(digits, from, length);
	if (length < sizeof(digits) && digits[strspn(digits, "0123456789")])
		return;
	value->number = length < sizeof(digits) ? number_read(digits, NULL) : UINT64_MAX;
}

static bool pass_word(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
		return false;
	reader->at += length;
	return true;
}

static void read_plain(struct reader *reader, struct json_value *value)
{
	if (pass(reader, '"')) {
		value->type = JSON_STRING;
		value->text = read_string(reader, &value->length);
	} else if (pass_word(reader, "true")) {
		value->type = JSON_TRUE;
	} else if (pass_word(reader, "false")) {
		value->type = JSON_FALSE;
	} else if (!pass_word(reader, "null")) {
		read_number(reader, value);
	}
}

static struct json_value *read_value(struct reader *reader)
{
	struct json_value *value = calloc(1, sizeof(*value));

	if (!value)
		return fail(reader, "out of memory");
	if (++reader->depth > JSON_DEPTH) {
		fail(reader, "its values are nested too deeply");
	} else if (pass(reader, '{')) {
		value->type = JSON_OBJECT;
		read_list(reader, value, '}');
	} else if (pass(reader, '[')) {
		value->type = JSON_ARRAY;
		read_list(reader, value, ']');
	} else {
		read_plain(reader, value);
	}
	reader->depth--;
	if (!reader->problem)
		return value;
	json_free(value);
	return NULL;
}

struct json_value *json_read(const char *text, size_t length, struct strbuf *error)
{
	struct reader reader = {.at = text, .start = text, .end = text + length};
	struct json_value *value = read_value(&reader);

	pass_blanks(&reader);
	if (value && reader.at < reader.end) {
		fail(&reader, "there is more after the value");
		json_free(value);
		value = NULL;
	}
	if (!value)
		strbuf_printf(error, "%s at byte %llu", reader.problem,
			      (unsigned long long)(reader.at - reader.start));
	return value;
}

/* Elements are in a list, which may be long; only their depth is bounded. */
void json_free(struct json_value *value)
{
	while (value) {
		struct json_value *next = value->next;

		json_free(value->first);
		free(value->name);
		free(value->text);
		free(value);
		value = next;
	}
}

const struct json_value *json_find(const struct json_value *object, const char *name)
{
	const struct json_value *member;

	if (!object || object->type != JSON_OBJECT)
		return NULL;
	for (member = object->first; member; member = member->next)
		if (!strcmp(member->name, name))
			break;
	return member;
}

uint64_t json_find_number(const struct json_value *object, const char *name)
{
	const struct json_value *member = json_find(object, name);

	return member && member->type == JSON_NUMBER ? member->number : 0;
}

const char *json_find_text(const struct json_value *object, const char *name)
{
	const struct json_value *member = json_find(object, name);

	return member && member->type == JSON_STRING ? member->text : "";
}
