/* SPDX-License-Identifier: MIT */
/* The input is a log. It is read, and printed as `computeprof print` does. */
#include <string.h>

#include "cli/print/print.h"
#include "fuzz.h"
#include "output/logreader.h"
#include "output/unescape.h"

/* Every text is a slice of a line of the input. */
static void check_text(struct log_text text, const char *bytes, size_t size)
{
	if (!text.length)
		return;
	CHECK(text.text >= bytes && text.length <= size);
	CHECK((size_t)(text.text - bytes) <= size - text.length);
	CHECK(!memchr(text.text, '\n', text.length));
}

static void check_texts(const struct log_text *texts, size_t count, const char *bytes, size_t size)
{
	for (; count; count--, texts++)
		check_text(*texts, bytes, size);
}

static void check_header(const struct logreader *reader, const char *bytes, size_t size)
{
	size_t count;
	const struct log_text *texts = logreader_columns(reader, &count);

	check_texts(texts, count, bytes, size);
	CHECK(count <= LOGREADER_FIELDS);
	check_text(reader->header.version, bytes, size);
	check_text(reader->header.device_name, bytes, size);
	CHECK(reader->header.api < API_COUNT);
}

static void check_fields(const struct logreader *reader, const char *bytes, size_t size)
{
	size_t count;
	const struct log_field *field = logreader_fields(reader, &count);
	struct strbuf plain = STRBUF_INIT;

	CHECK(count <= LOGREADER_FIELDS);
	for (; count; count--, field++) {
		check_text(field->key, bytes, size);
		check_text(field->value, bytes, size);
		plain.length = 0;
		unescape_name(field->value, &plain);
		CHECK(plain.length <= field->value.length);
		CHECK(plain.length * 4 >= field->value.length);
	}
	strbuf_free(&plain);
}

/* Numbers of valid and invalid rows. */
struct found {
	uint64_t rows;
	uint64_t damaged;
};

static struct found read_log(struct logreader *reader, const char *bytes, size_t size)
{
	struct found found = {0};
	uint64_t line = 0, lines = 1;
	size_t count;
	int row;

	for (size_t i = 0; i < size; i++)
		lines += bytes[i] == '\n';
	while ((row = logreader_next(reader))) {
		CHECK(reader->line > line && reader->line <= lines);
		line = reader->line;
		CHECK(row == 1 || (row == -1 && reader->error));
		if (row > 0)
			check_fields(reader, bytes, size);
		found.rows += row > 0;
		found.damaged += row < 0;
	}
	CHECK(logreader_next(reader) == 0);
	logreader_fields(reader, &count);
	CHECK(!count);
	check_texts(logreader_warnings(reader, &count), count, bytes, size);
	return found;
}

/* Prints the valid rows in a format and a dialect. Returns their number. */
static uint64_t print(struct strbuf *to, const void *bytes, size_t size, enum format format,
		      enum dialect dialect)
{
	struct logreader reader;
	struct strbuf slots = STRBUF_INIT;
	size_t at = 0;
	struct print_style style = {
		.reader = &reader, .format = format, .dialect = dialect, .at = &at};
	uint64_t rows = 0;
	int row;

	CHECK(!logreader_open(&reader, bytes, size));
	style.own = reader.header.context ? DIALECT_CUDA4 : DIALECT_CLASSIC;
	if (format == FORMAT_CSV)
		strbuf_printf(to, "# %s_PROFILE_CSV 1\n",
			      reader.header.api == API_CUDA ? "CUDA" : "OPENCL");
	print_slots(&slots, &style);
	print_columns(to, &slots);
	while (slots.length && (row = logreader_next(&reader))) {
		size_t before = to->length;

		if (row < 0)
			continue;
		print_row(to, &slots, &style);
		if (to->length == before)
			continue;
		rows++;
		CHECK(memchr(to->data + before, '\n', to->length - before) ==
		      to->data + to->length - 1);
	}
	strbuf_free(&slots);
	logreader_close(&reader);
	return rows;
}

void fuzz_log(const uint8_t *data, size_t size)
{
	char *bytes = malloc(size + !size);
	struct logreader reader;

	if (size)
		memcpy(bytes, data, size);
	if (logreader_open(&reader, bytes, size)) {
		CHECK(reader.error);
	} else {
		struct strbuf text = STRBUF_INIT;
		struct found found;

		check_header(&reader, bytes, size);
		found = read_log(&reader, bytes, size);
		for (int kind = 0; kind < 4; kind++) {
			text.length = 0;
			CHECK(print(&text, bytes, size, (enum format)(kind & 1),
				    (enum dialect)(kind >> 1)) <= found.rows);
		}
		strbuf_free(&text);
	}
	logreader_close(&reader);
	free(bytes);
}
