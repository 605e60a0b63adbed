/* SPDX-License-Identifier: MIT */
#include "output/logheader.h"

#include <string.h>

#include "model/api.h"

struct log_text text_trimmed(struct log_text text)
{
	while (text.length && text_blank(text.text[0])) {
		text.text++;
		text.length--;
	}
	while (text.length && text_blank(text.text[text.length - 1]))
		text.length--;
	return text;
}

bool text_starts(struct log_text text, const char *start)
{
	size_t length = strlen(start);

	return text.length >= length && memcmp(text.text, start, length) == 0;
}

bool text_same_as(struct log_text text, struct log_text other)
{
	return text.length == other.length && !memcmp(text.text, other.text, text.length);
}

struct log_text text_cut(struct log_text *text, char separator)
{
	const char *end = text->length ? memchr(text->text, separator, text->length) : NULL;
	struct log_text head = *text;

	if (!end) {
		*text = (struct log_text){0};
		return head;
	}
	head.length = (size_t)(end - head.text);
	text->text = end + 1;
	text->length -= head.length + 1;
	return head;
}

static struct log_text cut_word(struct log_text *text)
{
	struct log_text word = *text;

	for (word.length = 0; word.length < text->length; word.length++) {
		if (text_blank(word.text[word.length]))
			break;
	}
	text->text += word.length;
	text->length -= word.length;
	*text = text_trimmed(*text);
	return word;
}

static int digit_value(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	if (byte >= 'A' && byte <= 'F')
		return byte - 'A' + 10;
	return 16;
}

bool text_number(struct log_text text, unsigned int base, uint64_t most, uint64_t *number)
{
	uint64_t value = 0;

	for (size_t i = 0; i < text.length; i++) {
		unsigned int digit = (unsigned int)digit_value(text.text[i]);

		if (digit >= base || value > (most - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = value;
	return text.length > 0;
}

static void read_version(struct log_header *header, struct log_text rest)
{
	header->version = rest;
}

static void read_api_version(struct log_header *header, struct log_text rest)
{
	header->version = rest;
	header->of_calls = true;
}

static void read_csv(struct log_header *header, struct log_text rest)
{
	header->csv = text_starts(rest, "1");
}

static void read_device(struct log_header *header, struct log_text rest)
{
	struct log_text word = cut_word(&rest);
	uint64_t number = 0;

	header->device_known = text_number(word, 10, UINT32_MAX, &number);
	header->device = (uint32_t)number;
	header->device_name = rest;
}

static void read_device_name(struct log_header *header, struct log_text rest)
{
	read_device(header, rest);
	header->says_name = true;
}

static void read_context(struct log_header *header, struct log_text rest)
{
	uint64_t number = 0;

	text_number(rest, 10, UINT32_MAX, &number);
	header->context = (uint32_t)number;
}

static void read_factor(struct log_header *header, struct log_text rest)
{
	header->timestamp_factor_known =
		text_number(rest, 16, UINT64_MAX, &header->timestamp_factor);
}

/* clang-format off */
static const struct keyword {
	const char *text;
	void (*read)(struct log_header *header, struct log_text rest);
} keywords[] = {
	{ .text = "PROFILE_LOG_VERSION", .read = read_version },
	{ .text = "PROFILE_API_LOG_VERSION", .read = read_api_version },
	{ .text = "PROFILE_CSV", .read = read_csv },
	{ .text = "DEVICE_NAME", .read = read_device_name },
	{ .text = "DEVICE", .read = read_device },
	{ .text = "CONTEXT", .read = read_context },
	{ .text = NULL },
};
/* clang-format on */

bool text_is(struct log_text text, const char *other)
{
	return text_starts(text, other) && text.length == strlen(other);
}

/* Returns the length of the API's prefix in `word`: OPENCL_, in some old logs OpenCL_; 0 without
 * it. */
static size_t prefix_length(struct log_text word, const struct api_row *api)
{
	const char *const texts[] = {api->header, api->name};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		size_t length = strlen(texts[i]);

		if (text_starts(word, texts[i]) && word.length > length &&
		    word.text[length] == '_')
			return length + 1;
	}
	return 0;
}

/* Returns the API of `word` and removes the prefix; API_COUNT without one. */
static enum api cut_prefix(struct log_text *word)
{
	size_t length = 0;
	int api = 0;

	while (api < API_COUNT && !(length = prefix_length(*word, &api_rows[api])))
		api++;
	word->text += length;
	word->length -= length;
	return (enum api)api;
}

static const struct keyword *find_keyword(struct log_text word)
{
	for (const struct keyword *keyword = keywords; keyword->text; keyword++) {
		if (text_is(word, keyword->text))
			return keyword;
	}
	return NULL;
}

bool logheader_line(struct log_header *header, struct log_text line)
{
	struct log_text rest = text_trimmed(line);
	struct log_text word = cut_word(&rest);
	const struct keyword *keyword;
	enum api api;

	if (text_is(word, "TIMESTAMPFACTOR")) {
		read_factor(header, rest);
		return true;
	}
	api = cut_prefix(&word);
	if (api == API_COUNT)
		return false;
	keyword = find_keyword(word);
	if (!keyword)
		return false;
	header->api = api;
	header->api_known = true;
	keyword->read(header, rest);
	return true;
}
