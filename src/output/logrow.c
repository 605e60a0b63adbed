/* SPDX-License-Identifier: MIT */
#include "output/logrow.h"

#include <string.h>

#include "output/logheader.h"

int logrow_fail(struct logreader *reader, const char *error)
{
	reader->error = error;
	return -1;
}

int logrow_check(struct logreader *reader, struct strbuf *buffer)
{
	bool failed = buffer->failed;

	buffer->failed = false;
	return failed ? logrow_fail(reader, "out of memory") : 0;
}

size_t logrow_key(struct log_text line)
{
	struct log_text rest = line;
	size_t length = 0;

	while (length < line.length && line.text[length] > ' ' && line.text[length] != '=')
		length++;
	rest.text += length;
	rest.length -= length;
	return text_starts(rest, "=[") ? length : 0;
}

static int add_field(struct logreader *reader, struct log_text key, struct log_text value)
{
	struct log_field field = {.key = key, .value = value};

	if (reader->fields.length >= LOGREADER_FIELDS * sizeof(field))
		return logrow_fail(reader, "too many values");
	strbuf_append(&reader->fields, &field, sizeof(field));
	return logrow_check(reader, &reader->fields);
}

/* Where the ] stands that ends the value at the start of `text`; NULL if it was lost. */
static const char *find_end(struct log_text text)
{
	struct log_text rest = text = text_trimmed(text);

	while (rest.length) {
		const char *at = rest.text++;

		rest.length--;
		if (*at != ']' || (at != text.text && !text_blank(at[-1])))
			continue;
		if (!rest.length || text_blank(rest.text[0]))
			return at;
		/* A value may start with ]a=[ but cannot go on with it: its blanks are escaped. */
		if (at != text.text && logrow_key(rest))
			return NULL;
	}
	return NULL;
}

static int read_keyval(struct logreader *reader, struct log_text line)
{
	while (line.length) {
		struct log_text key = {.text = line.text, .length = logrow_key(line)};
		struct log_text value;
		const char *end;

		if (!key.length)
			return logrow_fail(reader, "no key=[ where a value should begin");
		line.text += key.length + 2;
		line.length -= key.length + 2;
		end = find_end(line);
		if (!end)
			return logrow_fail(reader, "a value without its ]");
		value = line;
		value.length = (size_t)(end - line.text);
		line.text = end + 1;
		line.length -= value.length + 1;
		line = text_trimmed(line);
		if (add_field(reader, key, text_trimmed(value)))
			return -1;
	}
	return 1;
}

static int read_csv(struct logreader *reader, struct log_text line)
{
	size_t count;
	const struct log_text *names = logreader_columns(reader, &count);

	if (!count)
		return logrow_fail(reader, "no column line above the row");
	for (size_t i = 0; line.length; i++) {
		struct log_text value = text_trimmed(text_cut(&line, ','));

		if (i == count)
			return logrow_fail(reader, "more values than columns");
		if (value.length && add_field(reader, names[i], value))
			return -1;
	}
	return 1;
}

/* Where the header or a part of it is lost, the row itself says what it is. */
static bool is_keyval(const struct logreader *reader, struct log_text line)
{
	if (!reader->columns.length)
		return !reader->header.csv || logrow_key(line);
	return reader->header.api_known ? !reader->header.csv : logrow_key(line) > 0;
}

int logrow_read(struct logreader *reader, struct log_text line)
{
	return is_keyval(reader, line) ? read_keyval(reader, line) : read_csv(reader, line);
}
