/* SPDX-License-Identifier: MIT */
#include "output/logreader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/api.h"
#include "output/logheader.h"

enum { FEW = 64, SEEN_BITS = 1 << 16 };

/* Stores `error` and returns -1. */
static int fail(struct logreader *reader, const char *error)
{
	reader->error = error;
	return -1;
}

/* Returns -1 and sets `error` if memory for `buffer` has run out since the last check. */
static int check_memory(struct logreader *reader, struct strbuf *buffer)
{
	bool failed = buffer->failed;

	buffer->failed = false;
	return failed ? fail(reader, "out of memory") : 0;
}

/* Returns the length of the key if `line` starts with key=[, or 0. */
static size_t key_length(struct log_text line)
{
	struct log_text rest = line;
	size_t length = 0;

	while (length < line.length && line.text[length] > ' ' && line.text[length] != '=')
		length++;
	rest.text += length;
	rest.length -= length;
	return text_starts(rest, "=[") ? length : 0;
}

/* Returns the key's bit in `seen`, whatever the case of its letters. */
static uint32_t bit_of(struct log_text key)
{
	uint32_t hash = 2166136261;

	for (size_t i = 0; i < key.length; i++)
		hash = (hash ^ ((unsigned char)key.text[i] | 0x20)) * 16777619;
	return (hash ^ hash >> 16) % SEEN_BITS;
}

/* For rows of many fields; without memory the fields are compared one by one. */
static void note_key(struct logreader *reader, struct log_text key)
{
	size_t count;
	const struct log_field *field = logreader_fields(reader, &count);
	uint32_t bit = bit_of(key);

	if (count == FEW && !reader->seen)
		reader->seen = malloc(SEEN_BITS / 8);
	if (count < FEW || !reader->seen)
		return;
	reader->seen[bit / 64] |= UINT64_C(1) << bit % 64;
	if (count > FEW)
		return;
	memset(reader->seen, 0, SEEN_BITS / 8);
	for (; count; count--, field++) {
		bit = bit_of(field->key);
		reader->seen[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

static bool has_key(const struct logreader *reader, struct log_text key)
{
	size_t count;
	const struct log_field *field = logreader_fields(reader, &count);
	uint32_t bit;

	if (count >= FEW && reader->seen) {
		bit = bit_of(key);
		if (!(reader->seen[bit / 64] >> bit % 64 & 1))
			return false;
	}
	for (; count; count--, field++)
		if (field->key.length == key.length &&
		    !strncasecmp(field->key.text, key.text, key.length))
			return true;
	return false;
}

/* Only the first value of a key is added. */
static int add_field(struct logreader *reader, struct log_text key, struct log_text value)
{
	struct log_field field = {.key = key, .value = value};

	if (reader->fields.length / sizeof(field) + reader->repeats >= LOGREADER_FIELDS)
		return fail(reader, "too many values");
	if (has_key(reader, key)) {
		reader->repeats++;
		return 0;
	}
	strbuf_append(&reader->fields, &field, sizeof(field));
	if (check_memory(reader, &reader->fields))
		return -1;
	note_key(reader, key);
	return 0;
}

/* Returns the ] that ends the value at the start of `text`; NULL if it is missing. */
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
		/* Only the first bytes of a value can be ]a=[, since blanks in it are escaped. */
		if (at != text.text && key_length(rest))
			return NULL;
	}
	return NULL;
}

static int read_keyval(struct logreader *reader, struct log_text line)
{
	while (line.length) {
		struct log_text key = {.text = line.text, .length = key_length(line)};
		struct log_text value;
		const char *end;

		if (!key.length)
			return fail(reader, "a value does not begin with key=[");
		line.text += key.length + 2;
		line.length -= key.length + 2;
		end = find_end(line);
		if (!end)
			return fail(reader, "a value does not end with ]");
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
		return fail(reader, "no column line above the row");
	if (reader->other_columns)
		return fail(reader, "another log begins above it, with other columns");
	for (size_t i = 0; line.text; i++) {
		struct log_text value = text_trimmed(text_cut(&line, ','));

		if (i == count)
			return fail(reader, "more values than columns");
		if (value.length && add_field(reader, names[i], value))
			return -1;
	}
	return 1;
}

/* If the header or a part of it is lost, the row itself decides. */
static bool is_keyval(const struct logreader *reader, struct log_text line)
{
	if (!reader->columns.length)
		return !reader->header.csv || key_length(line);
	return reader->header.api_known ? !reader->header.csv : key_length(line) > 0;
}

/* Reads `line` into the reader's fields: 1, or -1 with the reader's `error`. */
static int read_row(struct logreader *reader, struct log_text line)
{
	int result;

	reader->repeats = 0;
	result = is_keyval(reader, line) ? read_keyval(reader, line) : read_csv(reader, line);
	if (result > 0 && reader->repeats && !reader->repeated++)
		reader->repeated_line = reader->line;
	return result;
}

static bool take_line(struct logreader *reader, struct log_text *line)
{
	if (!reader->rest.length)
		return false;
	*line = text_trimmed(text_cut(&reader->rest, '\n'));
	reader->line++;
	return true;
}

static bool has_cell(struct log_text line, const char *word)
{
	while (line.length)
		if (text_is(text_trimmed(text_cut(&line, ',')), word))
			return true;
	return false;
}

static void add_columns(struct logreader *reader, struct log_text line)
{
	reader->wrapped = line.length && line.text[line.length - 1] == ',';
	while (line.length && reader->columns.length < LOGREADER_FIELDS * sizeof(line)) {
		struct log_text name = text_trimmed(text_cut(&line, ','));

		strbuf_append(&reader->columns, &name, sizeof(name));
	}
}

/* Parses a header line that lacks "# ". Returns true if `line` is one. */
static bool take_bare(struct logreader *reader, struct log_text line)
{
	if (reader->wrapped && !key_length(line)) {
		add_columns(reader, line);
		return true;
	}
	if (reader->begun || reader->columns.length)
		return false;
	if (logheader_line(&reader->header, line))
		return true;
	if (key_length(line) || !has_cell(line, "method"))
		return false;
	add_columns(reader, line);
	return true;
}

/* Returns true if `line` is the column line. */
static bool is_columns(const struct logreader *reader, struct log_text line)
{
	size_t count;
	const struct log_text *name = logreader_columns(reader, &count);

	for (; count && line.length; count--, name++)
		if (!text_same_as(text_trimmed(text_cut(&line, ',')), *name))
			return false;
	return !count && !line.length;
}

/* Parses the column line of another log in the file. Returns true if `line` is one: of a row, only
 * the method is a word. */
static bool take_more_columns(struct logreader *reader, struct log_text line)
{
	if (!reader->begun || !reader->columns.length || key_length(line))
		return false;
	if (!has_cell(line, "method") ||
	    !(has_cell(line, "timestamp") || has_cell(line, "gputime") ||
	      has_cell(line, "gpustarttimestamp")))
		return false;
	reader->more_columns++;
	reader->other_columns = !is_columns(reader, line);
	return true;
}

static void add_aside(struct logreader *reader, struct strbuf *list, struct log_text text)
{
	if (list->length < LOGREADER_ASIDES * sizeof(text))
		strbuf_append(list, &text, sizeof(text));
	else
		reader->left_out++;
}

/* Reads a message about losses (session/logreport.c). Each counts the losses since the previous
 * one. */
static void take_losses(struct logreader *reader, struct log_text text)
{
	static const char one[] = " record was lost", several[] = " records were lost",
			  only[] = " from the log only", limits[] = " of the log by the limits",
			  limits_before[] = " left out by the limits";
	size_t digits = 0;
	uint64_t count = 0;

	if (memmem(text.text, text.length, limits, sizeof(limits) - 1) ||
	    memmem(text.text, text.length, limits_before, sizeof(limits_before) - 1))
		reader->limited = true;
	if (!memmem(text.text, text.length, " lost", 5))
		return;
	for (; digits < text.length && digits < 19; digits++) {
		if (text.text[digits] < '0' || text.text[digits] > '9')
			break;
		count = count * 10 + (uint64_t)(text.text[digits] - '0');
	}
	text.text += digits;
	text.length -= digits;
	if (text.length > sizeof(only) - 1 &&
	    !memcmp(text.text + text.length - (sizeof(only) - 1), only, sizeof(only) - 1))
		text.length -= sizeof(only) - 1;
	if (!count || !(text_is(text, one) || text_is(text, several)) ||
	    __builtin_add_overflow(reader->remarked_lost, count, &reader->remarked_lost))
		reader->tells_no_number = true;
}

static void add_remark(struct logreader *reader, struct log_text comment)
{
	static const char start[] = SAY_PREFIX;
	struct log_text text = text_trimmed(comment);

	if (!text_starts(text, start))
		return;
	text.text += sizeof(start) - 1;
	text.length -= sizeof(start) - 1;
	take_losses(reader, text);
	add_aside(reader, &reader->remarks, text);
}

/* Handles lines that are not rows. Returns true if `line` is one. */
static bool take_aside(struct logreader *reader, struct log_text line)
{
	struct log_header other = {.version.length = 0};
	struct log_text comment = line;

	if (!line.length)
		return true;
	if (text_starts(line, "NV_Warning:") || text_starts(line, "NV_Error:")) {
		add_aside(reader, &reader->warnings, line);
		return true;
	}
	if (line.text[0] != '#')
		return take_bare(reader, line) || take_more_columns(reader, line);
	text_cut(&comment, '#');
	add_remark(reader, comment);
	/* Header lines after the first row may be forged: versions are counted, no more. */
	logheader_line(reader->begun ? &other : &reader->header, comment);
	reader->more_headers += other.version.length > 0;
	return true;
}

/* Moves to the next row; false at the end. */
static bool find_row(struct logreader *reader)
{
	struct log_text before = reader->rest;
	struct log_text line;

	while (take_line(reader, &line)) {
		if (!take_aside(reader, line)) {
			reader->rest = before;
			reader->line--;
			return true;
		}
		before = reader->rest;
	}
	return false;
}

/* Returns -1 if memory for warnings or remarks has run out. */
static int check_asides(struct logreader *reader)
{
	int result = check_memory(reader, &reader->warnings);

	return check_memory(reader, &reader->remarks) ? -1 : result;
}

int logreader_open(struct logreader *reader, const void *bytes, size_t size)
{
	bool row;

	*reader = (struct logreader){.rest = {.text = bytes, .length = size}};
	if (text_starts(reader->rest, "\xef\xbb\xbf"))
		reader->rest = (struct log_text){.text = reader->rest.text + 3, .length = size - 3};
	row = find_row(reader);
	reader->begun = true;
	reader->wrapped = false;
	if (check_memory(reader, &reader->columns) || check_asides(reader))
		return -1;
	if (reader->header.api_known || reader->columns.length || reader->warnings.length)
		return 0;
	if (row && key_length(text_trimmed(reader->rest)))
		return 0;
	return fail(reader, "not a profiler log");
}

void logreader_close(struct logreader *reader)
{
	strbuf_free(&reader->columns);
	strbuf_free(&reader->warnings);
	strbuf_free(&reader->remarks);
	strbuf_free(&reader->fields);
	free(reader->seen);
	reader->seen = NULL;
}

void logreader_continue(struct logreader *reader, const void *bytes, size_t size)
{
	reader->rest = (struct log_text){.text = bytes, .length = size};
	reader->warnings.length = 0;
	reader->remarks.length = 0;
}

int logreader_next(struct logreader *reader)
{
	struct log_text line;

	reader->fields.length = 0;
	if (!find_row(reader))
		return check_asides(reader);
	take_line(reader, &line);
	return read_row(reader, line);
}

static const void *array(const struct strbuf *buffer, size_t size, size_t *count)
{
	*count = buffer->length / size;
	return buffer->data;
}

const struct log_field *logreader_fields(const struct logreader *reader, size_t *count)
{
	return array(&reader->fields, sizeof(struct log_field), count);
}

const struct log_text *logreader_columns(const struct logreader *reader, size_t *count)
{
	return array(&reader->columns, sizeof(struct log_text), count);
}

const struct log_text *logreader_warnings(const struct logreader *reader, size_t *count)
{
	return array(&reader->warnings, sizeof(struct log_text), count);
}

const struct log_text *logreader_remarks(const struct logreader *reader, size_t *count)
{
	return array(&reader->remarks, sizeof(struct log_text), count);
}

bool logreader_value(const struct logreader *reader, const char *key, struct log_text *value)
{
	size_t count;
	const struct log_field *field = logreader_fields(reader, &count);

	for (; count; count--, field++) {
		if (field->key.length == strlen(key) && text_starts(field->key, key)) {
			*value = field->value;
			return true;
		}
	}
	return false;
}

void logreader_put_repeated(const struct logreader *reader, struct strbuf *to)
{
	unsigned long long more = reader->repeated ? reader->repeated - 1 : 0;

	if (!reader->repeated)
		return;
	strbuf_printf(to, "line %llu has a key twice", (unsigned long long)reader->repeated_line);
	if (more)
		strbuf_printf(to, ", as %llu more %s", more, more == 1 ? "line has" : "lines have");
	strbuf_string(to, "; the first value is used");
}

void logreader_put_joined(const struct logreader *reader, struct strbuf *to)
{
	unsigned long long more = reader->more_headers > reader->more_columns
					  ? reader->more_headers
					  : reader->more_columns;

	if (more)
		strbuf_printf(to,
			      "the file is %llu logs, one below the other; all rows are taken "
			      "as those of the first log's device",
			      more + 1);
}

bool logreader_is_classic(const struct logreader *reader)
{
	const struct log_header *header = &reader->header;
	size_t count;
	const struct log_text *names = logreader_columns(reader, &count);

	return header->api_known && !header->context && text_is(header->version, "2.0") &&
	       header->says_name >= api_rows[header->api].names_device && count &&
	       text_is(names[0], "timestamp");
}
