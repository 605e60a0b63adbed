/* SPDX-License-Identifier: MIT */
#include "output/jsontext.h"

#include <string.h>

#include "base/number.h"
#include "output/escape.h"

void json_number(struct strbuf *to, uint64_t value)
{
	strbuf_decimal(to, value);
}

void json_signed(struct strbuf *to, int64_t number)
{
	if (number < 0)
		strbuf_char(to, '-');
	json_number(to, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void json_vector(struct strbuf *to, const uint64_t value[3])
{
	for (int i = 0; i < 3; i++) {
		strbuf_char(to, i ? ',' : '[');
		json_number(to, value[i]);
	}
	strbuf_char(to, ']');
}

void json_hex(struct strbuf *to, uint64_t value)
{
	char *at;

	strbuf_string(to, "0x");
	at = strbuf_reserve(to, NUMBER_SIZE);
	if (at)
		to->length = (size_t)(number_hex(at, value) - to->data);
}

void json_thousandths(struct strbuf *to, int64_t value)
{
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	unsigned rest = (unsigned)(size % 1000);
	char decimals[] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
			   (char)('0' + rest % 10)};

	if (value < 0)
		strbuf_char(to, '-');
	json_number(to, size / 1000);
	strbuf_append(to, decimals, sizeof(decimals));
}

/* Writes values beyond the range in which logs have whole numbers. */
static bool put_large(struct strbuf *to, double value)
{
	bool large = value >= 0x1p63 || value <= -0x1p63;

	if (large)
		strbuf_printf(to, "%.17g", value);
	return large;
}

void json_real(struct strbuf *to, double value)
{
	char *at = put_large(to, value) ? NULL : strbuf_reserve(to, NUMBER_SIZE);

	if (at)
		to->length = (size_t)(number_real(at, value) - to->data);
}

void json_whole(struct strbuf *to, double value)
{
	char *at = put_large(to, value) ? NULL : strbuf_reserve(to, NUMBER_SIZE);

	if (at)
		to->length = (size_t)(number_whole(at, value) - to->data);
}

void json_escaped(struct strbuf *to, const char *text, size_t length)
{
	char *at = strbuf_reserve(to, 2 * length + 2);

	if (!at)
		return;
	*at++ = '"';
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"' || text[i] == '\\')
			*at++ = '\\';
		*at++ = text[i];
	}
	*at++ = '"';
	to->length = (size_t)(at - to->data);
}

/* Fast path: most names need no escape, so they are copied while they are checked. */
static bool copy_plain(struct strbuf *to, const char *name, size_t length)
{
	char *at = strbuf_reserve(to, length + 2);

	if (!at)
		return false;
	*at++ = '"';
	for (size_t i = 0; i < length; i++) {
		if (name[i] < ' ' || name[i] > '~' || name[i] == '"' || name[i] == '\\')
			return false;
		at[i] = name[i];
	}
	at[length] = '"';
	to->length += length + 2;
	return true;
}

void json_name(struct strbuf *to, const char *name, size_t length)
{
	struct strbuf escaped = STRBUF_INIT;

	if (copy_plain(to, name, length))
		return;
	escape_put(&escaped, name, length, ESCAPE_TEXT);
	json_escaped(to, escaped.data, escaped.length);
	to->failed |= escaped.failed;
	strbuf_free(&escaped);
}

void json_member(struct strbuf *to, const char *name)
{
	if (to->length && to->data[to->length - 1] != '{')
		strbuf_char(to, ',');
	json_escaped(to, name, strlen(name));
	strbuf_char(to, ':');
}

void json_add_number(struct strbuf *to, const char *name, uint64_t value)
{
	strbuf_printf(to, ", \"%s\": ", name);
	json_number(to, value);
}

void json_add_known(struct strbuf *to, const char *name, uint64_t value, bool known)
{
	if (known)
		json_add_number(to, name, value);
	else
		strbuf_printf(to, ", \"%s\": null", name);
}
