/* SPDX-License-Identifier: MIT */
#include "view/parquet/parquet_column.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "view/format/gzip.h"
#include "view/parquet/parquet_pack.h"
#include "view/parquet/thrift.h"

enum {
	SLOTS = 2 * PARQUET_ROWS,
	MOST_DISTINCT = 8192, /* numbers in a dictionary; texts are always in one */
};

/* Numbers of fields and values in parquet.thrift of github.com/apache/parquet-format. */
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { HEADER_TYPE = 1, HEADER_PLAIN_SIZE = 2, HEADER_SIZE = 3, HEADER_DATA = 5, HEADER_DICT = 7 };
enum { PAGE_VALUES = 1, PAGE_ENCODING = 2, PAGE_DEFINITION = 3, PAGE_REPETITION = 4 };

int parquet_column_open_encoder(struct parquet_encoder *encoder)
{
	struct strbuf none = STRBUF_INIT;

	*encoder = (struct parquet_encoder){
		.texts = names_new(),
		.compressed = !gzip_check(&none),
		.numbers = calloc(PARQUET_ROWS, sizeof(*encoder->numbers)),
		.distinct = calloc(PARQUET_ROWS, sizeof(*encoder->distinct)),
		.slots = calloc(SLOTS, sizeof(*encoder->slots)),
	};
	strbuf_free(&none);
	return encoder->texts && encoder->numbers && encoder->distinct && encoder->slots ? 0 : -1;
}

void parquet_column_free_encoder(struct parquet_encoder *encoder)
{
	names_free(encoder->texts);
	strbuf_free(&encoder->levels);
	strbuf_free(&encoder->page);
	strbuf_free(&encoder->gzip);
	free(encoder->numbers);
	free(encoder->distinct);
	free(encoder->slots);
}

struct parquet_column *parquet_column_new(const char *name, enum parquet_type type)
{
	struct parquet_column *column = calloc(1, sizeof(*column));

	if (!column)
		return NULL;
	column->type = type;
	column->name = strdup(name);
	if (column->name)
		return column;
	free(column);
	return NULL;
}

void parquet_column_free(struct parquet_column *column)
{
	if (!column)
		return;
	strbuf_free(&column->values);
	free(column->name);
	free(column);
}

static const uint64_t *values_of(const struct parquet_column *column, size_t *count)
{
	*count = column->values.length / sizeof(uint64_t);
	return (const uint64_t *)(const void *)column->values.data;
}

static void put_page(struct parquet_encoder *encoder, int type, size_t values, int encoding,
		     struct strbuf *to, struct parquet_chunk *chunk)
{
	struct strbuf *page = &encoder->page;
	struct thrift header = {.to = to}, own;
	size_t before = to->length, size = page->length;

	encoder->gzip.length = 0;
	if (encoder->compressed && gzip_put(&encoder->gzip, page->data, page->length))
		to->failed = true;
	if (encoder->compressed)
		size = encoder->gzip.length;
	thrift_number(&header, HEADER_TYPE, THRIFT_I32, type);
	thrift_number(&header, HEADER_PLAIN_SIZE, THRIFT_I32, (int64_t)page->length);
	thrift_number(&header, HEADER_SIZE, THRIFT_I32, (int64_t)size);
	own = thrift_struct(&header, type == PAGE_DATA ? HEADER_DATA : HEADER_DICT);
	thrift_number(&own, PAGE_VALUES, THRIFT_I32, (int64_t)values);
	thrift_number(&own, PAGE_ENCODING, THRIFT_I32, encoding);
	if (type == PAGE_DATA) {
		thrift_number(&own, PAGE_DEFINITION, THRIFT_I32, PARQUET_RLE);
		thrift_number(&own, PAGE_REPETITION, THRIFT_I32, PARQUET_RLE);
	}
	thrift_end(&own);
	thrift_end(&header);
	chunk->plain_size += to->length - before + page->length;
	strbuf_append(to, encoder->compressed ? encoder->gzip.data : page->data, size);
	chunk->size += to->length - before;
	to->failed |= page->failed;
	page->length = 0;
}

/* Appends the values themselves: PLAIN. */
static void put_plain(struct parquet_encoder *encoder, enum parquet_type type,
		      const uint64_t *values, size_t count)
{
	struct strbuf *page = &encoder->page;

	for (size_t i = 0; i < count; i++) {
		uint64_t word = htole64(values[i]);
		uint32_t half = htole32((uint32_t)values[i]);
		const char *text;
		size_t length;

		if (type == PARQUET_TEXT) {
			text = names_text(encoder->texts, (uint32_t)values[i], &length);
			half = htole32((uint32_t)length);
			strbuf_append(page, &half, sizeof(half));
			strbuf_append(page, text, length);
		} else if (type == PARQUET_FLOAT) {
			strbuf_append(page, &half, sizeof(half));
		} else {
			strbuf_append(page, &word, sizeof(word));
		}
	}
}

/* Puts the values into encoder->distinct and their indices into encoder->numbers. Returns the
 * number of distinct ones, or 0 if a dictionary is not worth it. */
static uint32_t make_dictionary(struct parquet_encoder *encoder, bool must, const uint64_t *values,
				size_t count)
{
	uint32_t most = (uint32_t)(must			       ? count
				   : count / 4 < MOST_DISTINCT ? count / 4
							       : MOST_DISTINCT);
	uint32_t mask = (must ? SLOTS : 4 * MOST_DISTINCT) - 1, found = 0;

	memset(encoder->slots, 0, (mask + 1) * sizeof(*encoder->slots));
	for (size_t i = 0; i < count; i++) {
		uint32_t at = (uint32_t)(values[i] * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;

		while (encoder->slots[at] && encoder->distinct[encoder->slots[at] - 1] != values[i])
			at = (at + 1) & mask;
		if (!encoder->slots[at]) {
			if (found == most)
				return 0;
			encoder->distinct[found++] = values[i];
			encoder->slots[at] = found;
		}
		encoder->numbers[i] = encoder->slots[at] - 1;
	}
	return found;
}

/* Sets encoder->levels: their size in bytes, then for each row 1 if it has a value, else 0. */
static void set_levels(const struct parquet_column *column, struct parquet_encoder *encoder,
		       uint32_t rows)
{
	struct strbuf *levels = &encoder->levels;
	uint32_t size = 0;

	for (uint32_t i = 0; i < rows; i++)
		encoder->numbers[i] = column->present[i / 8] >> i % 8 & 1;
	levels->length = 0;
	strbuf_append(levels, &size, sizeof(size));
	parquet_pack_runs(levels, encoder->numbers, rows, 1);
	if (levels->failed)
		return;
	size = htole32((uint32_t)(levels->length - sizeof(size)));
	memcpy(levels->data, &size, sizeof(size));
}

static void put_indices(struct parquet_encoder *encoder, size_t count, uint32_t distinct)
{
	unsigned width = parquet_pack_width(distinct - 1);

	width = width ? width : 1; /* as other writers do */
	strbuf_char(&encoder->page, (char)width);
	parquet_pack_runs(&encoder->page, encoder->numbers, count, width);
}

static void set_range(struct parquet_chunk *chunk, const uint64_t *values, size_t count)
{
	chunk->least = INT64_MAX;
	chunk->most = INT64_MIN;
	for (size_t i = 0; i < count; i++) {
		int64_t value = (int64_t)values[i];

		chunk->least = value < chunk->least ? value : chunk->least;
		chunk->most = value > chunk->most ? value : chunk->most;
	}
}

void parquet_column_flush(struct parquet_column *column, struct parquet_encoder *encoder,
			  uint32_t rows, uint64_t offset, struct strbuf *to,
			  struct parquet_chunk *chunk)
{
	bool whole = column->type == PARQUET_NUMBER || column->type == PARQUET_TIME;
	struct strbuf *page = &encoder->page;
	size_t count, before = to->length;
	const uint64_t *values = values_of(column, &count);
	uint32_t distinct;

	*chunk = (struct parquet_chunk){
		.start = offset, .rows = rows, .nulls = rows - count, .encoding = PARQUET_PLAIN};
	set_range(chunk, values, count);
	set_levels(column, encoder, rows);
	distinct = make_dictionary(encoder, column->type == PARQUET_TEXT, values, count);
	if (distinct) {
		put_plain(encoder, column->type, encoder->distinct, distinct);
		put_page(encoder, PAGE_DICTIONARY, distinct, PARQUET_PLAIN, to, chunk);
		chunk->encoding = PARQUET_RLE_DICTIONARY;
	} else if (count && whole) {
		chunk->encoding = PARQUET_DELTA_BINARY_PACKED;
	}
	chunk->data = offset + (to->length - before);
	strbuf_append(page, encoder->levels.data, encoder->levels.length);
	if (distinct)
		put_indices(encoder, count, distinct);
	else if (count && whole)
		parquet_pack_deltas(page, values, count);
	else
		put_plain(encoder, column->type, values, count);
	put_page(encoder, PAGE_DATA, rows, chunk->encoding, to, chunk);
	to->failed |= column->values.failed || encoder->levels.failed;
	column->values.length = 0;
	memset(column->present, 0, sizeof(column->present));
}
