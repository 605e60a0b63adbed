/* SPDX-License-Identifier: MIT */
#include "view/parquet/parquet_file.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config.h"
#include "view/format/sink.h"
#include "view/parquet/thrift.h"

enum {
	MOST_VALUES = 1 << 23, /* of a row group: 64 MiB */
	MOST_TEXT = 1 << 24,   /* bytes of the texts */
};

static const char magic[] = "PAR1";

/* Numbers of fields and values in parquet.thrift of github.com/apache/parquet-format. */
enum { TYPE_INT64 = 2, TYPE_FLOAT = 4, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { OPTIONAL = 1, CONVERTED_UTF8 = 0, CODEC_NONE = 0, CODEC_GZIP = 2, FILE_VERSION = 2 };
enum { SCHEMA_TYPE = 1, SCHEMA_REPETITION = 3, SCHEMA_NAME = 4, SCHEMA_CHILDREN = 5 };
enum { SCHEMA_CONVERTED = 6, SCHEMA_LOGICAL = 10, LOGICAL_STRING = 1, LOGICAL_TIMESTAMP = 8 };
enum { TIMESTAMP_UTC = 1, TIMESTAMP_UNIT = 2, UNIT_NANOS = 3 };
enum { CHUNK_OFFSET = 2, CHUNK_METADATA = 3 };
enum { COLUMN_TYPE = 1, COLUMN_ENCODINGS = 2, COLUMN_PATH = 3, COLUMN_CODEC = 4 };
enum { COLUMN_VALUES = 5, COLUMN_PLAIN_SIZE = 6, COLUMN_SIZE = 7, COLUMN_DATA_PAGE = 9 };
enum { COLUMN_DICTIONARY_PAGE = 11, COLUMN_STATISTICS = 12 };
enum { STATISTICS_NULLS = 3, STATISTICS_MOST = 5, STATISTICS_LEAST = 6 };
enum { GROUP_COLUMNS = 1, GROUP_PLAIN_SIZE = 2, GROUP_ROWS = 3, GROUP_OFFSET = 5, GROUP_SIZE = 6 };
enum { FILE_VERSION_FIELD = 1, FILE_SCHEMA = 2, FILE_ROWS = 3, FILE_GROUPS = 4, FILE_PAIRS = 5 };
enum { FILE_CREATED_BY = 6, FILE_ORDERS = 7, ORDER_BY_TYPE = 1, PAIR_KEY = 1, PAIR_VALUE = 2 };

static const int types[] = {
	[PARQUET_NUMBER] = TYPE_INT64,	  [PARQUET_TIME] = TYPE_INT64,
	[PARQUET_TEXT] = TYPE_BYTE_ARRAY, [PARQUET_FLOAT] = TYPE_FLOAT,
	[PARQUET_DOUBLE] = TYPE_DOUBLE,
};

struct group {
	struct strbuf chunks; /* struct parquet_chunk, by column */
	uint32_t rows;
};

struct parquet_file {
	struct sink sink;
	struct parquet_encoder encoder;
	struct strbuf columns; /* struct parquet_column * */
	struct strbuf groups;  /* struct group */
	struct strbuf pairs;   /* of metadata, as elements of their list */
	size_t pair_count;
	uint64_t offset;     /* bytes of the file so far */
	uint64_t rows;	     /* of the finished row groups */
	uint32_t row;	     /* in the present one */
	uint64_t values;     /* of the present row group */
	uint64_t text_bytes; /* of encoder.texts */
	bool failed;	     /* no memory */
};

static size_t column_count(const struct parquet_file *file)
{
	return file->columns.length / sizeof(struct parquet_column *);
}

static struct parquet_column *column_at(const struct parquet_file *file, size_t number)
{
	return ((struct parquet_column **)(void *)file->columns.data)[number];
}

static struct group *group_at(const struct parquet_file *file, size_t number)
{
	return (struct group *)(void *)file->groups.data + number;
}

static size_t group_count(const struct parquet_file *file)
{
	return file->groups.length / sizeof(struct group);
}

static void free_file(struct parquet_file *file)
{
	for (size_t i = 0; i < column_count(file); i++)
		parquet_column_free(column_at(file, i));
	for (size_t i = 0; i < group_count(file); i++)
		strbuf_free(&group_at(file, i)->chunks);
	parquet_column_free_encoder(&file->encoder);
	strbuf_free(&file->columns);
	strbuf_free(&file->groups);
	strbuf_free(&file->pairs);
	free(file);
}

struct parquet_file *parquet_file_open(const char *path, struct strbuf *error)
{
	struct parquet_file *file = calloc(1, sizeof(*file));

	if (!file || parquet_column_open_encoder(&file->encoder)) {
		strbuf_string(error, "out of memory");
	} else if (!sink_open(&file->sink, path, false, error)) {
		strbuf_string(&file->sink.text, magic);
		file->offset = strlen(magic);
		return file;
	}
	if (file)
		free_file(file);
	return NULL;
}

bool parquet_file_is_compressed(const struct parquet_file *file)
{
	return file->encoder.compressed;
}

int parquet_file_add_column(struct parquet_file *file, const char *name, enum parquet_type type)
{
	struct parquet_column *column = parquet_column_new(name, type);
	size_t before = file->columns.length;

	if (column)
		strbuf_append(&file->columns, &column, sizeof(column));
	if (column && file->columns.length > before)
		return (int)(before / sizeof(column));
	parquet_column_free(column);
	file->failed = true;
	return -1;
}

bool parquet_file_has_column(const struct parquet_file *file, const char *name)
{
	for (size_t i = 0; i < column_count(file); i++)
		if (text_same(column_at(file, i)->name, name))
			return true;
	return false;
}

void parquet_file_put(struct parquet_file *file, int column, uint64_t bits)
{
	parquet_column_put(column_at(file, (size_t)column), file->row, bits);
	file->values++;
}

uint32_t parquet_file_text(struct parquet_file *file, const char *text, size_t length)
{
	uint32_t before = names_count(file->encoder.texts);
	uint32_t id = names_intern(file->encoder.texts, text, length);

	if (id > before)
		file->text_bytes += length;
	file->failed |= !id;
	return id;
}

/* Appends the pages of a column. Returns -1 after an error. */
static int flush_column(struct parquet_file *file, struct parquet_column *column, uint32_t rows,
			struct group *group)
{
	struct strbuf *to = &file->sink.text;
	size_t before = to->length;
	struct parquet_chunk chunk;

	parquet_column_flush(column, &file->encoder, rows, file->offset, to, &chunk);
	file->offset += to->length - before;
	strbuf_append(&group->chunks, &chunk, sizeof(chunk));
	file->failed |= to->failed || group->chunks.failed;
	return file->failed || sink_flow(&file->sink) ? -1 : 0;
}

/* Texts are forgotten when they need much memory. */
static int forget_texts(struct parquet_file *file)
{
	names_free(file->encoder.texts);
	file->encoder.texts = names_new();
	file->text_bytes = 0;
	file->failed |= !file->encoder.texts;
	return file->failed ? -1 : 0;
}

static int end_group(struct parquet_file *file)
{
	struct group group = {.rows = file->row};
	size_t before = file->groups.length;
	int result = 0;

	for (size_t i = 0; i < column_count(file) && !result; i++)
		result = flush_column(file, column_at(file, i), file->row, &group);
	strbuf_append(&file->groups, &group, sizeof(group));
	file->rows += file->row;
	file->row = 0;
	file->values = 0;
	if (file->groups.length > before)
		return result;
	strbuf_free(&group.chunks);
	file->failed = true;
	return -1;
}

int parquet_file_end_row(struct parquet_file *file, bool *forgotten)
{
	if (file->failed)
		return -1;
	file->row++;
	if (file->row < PARQUET_ROWS && file->values < MOST_VALUES && file->text_bytes < MOST_TEXT)
		return 0;
	if (end_group(file))
		return -1;
	if (file->text_bytes < MOST_TEXT / 2 && names_count(file->encoder.texts) < PARQUET_ROWS)
		return 0;
	*forgotten = true;
	return forget_texts(file);
}

void parquet_file_add_metadata(struct parquet_file *file, const char *key, const char *value)
{
	struct thrift pair = {.to = &file->pairs};

	thrift_string(&pair, PAIR_KEY, key);
	thrift_string(&pair, PAIR_VALUE, value);
	thrift_end(&pair);
	file->pair_count++;
}

/* Columns that were added later have no value in the row groups before. */
static int complete_groups(struct parquet_file *file)
{
	size_t columns = column_count(file);

	for (size_t i = 0; i < group_count(file); i++) {
		struct group *group = group_at(file, i);
		size_t known = group->chunks.length / sizeof(struct parquet_chunk);

		for (; known < columns; known++)
			if (flush_column(file, column_at(file, known), group->rows, group))
				return -1;
	}
	return 0;
}

static void put_logical(struct thrift *element, enum parquet_type type)
{
	struct thrift logical, own, unit, nanos;

	if (type != PARQUET_TIME && type != PARQUET_TEXT)
		return;
	if (type == PARQUET_TEXT)
		thrift_number(element, SCHEMA_CONVERTED, THRIFT_I32, CONVERTED_UTF8);
	logical = thrift_struct(element, SCHEMA_LOGICAL);
	own = thrift_struct(&logical, type == PARQUET_TEXT ? LOGICAL_STRING : LOGICAL_TIMESTAMP);
	if (type == PARQUET_TIME) {
		thrift_bool(&own, TIMESTAMP_UTC, true);
		unit = thrift_struct(&own, TIMESTAMP_UNIT);
		nanos = thrift_struct(&unit, UNIT_NANOS);
		thrift_end(&nanos);
		thrift_end(&unit);
	}
	thrift_end(&own);
	thrift_end(&logical);
}

/* The first element is the row, whose children are the columns. */
static void put_schema(struct parquet_file *file, struct thrift *footer)
{
	size_t columns = column_count(file);
	struct thrift element = {.to = footer->to};

	thrift_list(footer, FILE_SCHEMA, THRIFT_STRUCT, columns + 1);
	thrift_string(&element, SCHEMA_NAME, "records");
	thrift_number(&element, SCHEMA_CHILDREN, THRIFT_I32, (int64_t)columns);
	thrift_end(&element);
	for (size_t i = 0; i < columns; i++) {
		const struct parquet_column *column = column_at(file, i);

		element.last = 0;
		thrift_number(&element, SCHEMA_TYPE, THRIFT_I32, types[column->type]);
		thrift_number(&element, SCHEMA_REPETITION, THRIFT_I32, OPTIONAL);
		thrift_string(&element, SCHEMA_NAME, column->name);
		put_logical(&element, column->type);
		thrift_end(&element);
	}
}

/* Readers leave out row groups by the least and the largest value. */
static void put_statistics(struct thrift *to, const struct parquet_column *column,
			   const struct parquet_chunk *chunk)
{
	struct thrift own = thrift_struct(to, COLUMN_STATISTICS);
	bool whole = column->type == PARQUET_NUMBER || column->type == PARQUET_TIME;
	uint64_t least = htole64((uint64_t)chunk->least), most = htole64((uint64_t)chunk->most);

	thrift_number(&own, STATISTICS_NULLS, THRIFT_I64, (int64_t)chunk->nulls);
	if (whole && chunk->nulls < chunk->rows) {
		thrift_binary(&own, STATISTICS_MOST, &most, sizeof(most));
		thrift_binary(&own, STATISTICS_LEAST, &least, sizeof(least));
	}
	thrift_end(&own);
}

static void put_chunk(struct parquet_file *file, const struct parquet_column *column,
		      const struct parquet_chunk *chunk, struct strbuf *to)
{
	struct thrift element = {.to = to}, own;
	bool is_plain = chunk->encoding == PARQUET_PLAIN;

	thrift_number(&element, CHUNK_OFFSET, THRIFT_I64, (int64_t)chunk->start);
	own = thrift_struct(&element, CHUNK_METADATA);
	thrift_number(&own, COLUMN_TYPE, THRIFT_I32, types[column->type]);
	thrift_list(&own, COLUMN_ENCODINGS, THRIFT_I32, is_plain ? 2 : 3);
	thrift_element_number(&own, PARQUET_PLAIN);
	thrift_element_number(&own, PARQUET_RLE);
	if (!is_plain)
		thrift_element_number(&own, chunk->encoding);
	thrift_list(&own, COLUMN_PATH, THRIFT_BINARY, 1);
	thrift_element_string(&own, column->name);
	thrift_number(&own, COLUMN_CODEC, THRIFT_I32,
		      file->encoder.compressed ? CODEC_GZIP : CODEC_NONE);
	thrift_number(&own, COLUMN_VALUES, THRIFT_I64, (int64_t)chunk->rows);
	thrift_number(&own, COLUMN_PLAIN_SIZE, THRIFT_I64, (int64_t)chunk->plain_size);
	thrift_number(&own, COLUMN_SIZE, THRIFT_I64, (int64_t)chunk->size);
	thrift_number(&own, COLUMN_DATA_PAGE, THRIFT_I64, (int64_t)chunk->data);
	if (chunk->data != chunk->start)
		thrift_number(&own, COLUMN_DICTIONARY_PAGE, THRIFT_I64, (int64_t)chunk->start);
	put_statistics(&own, column, chunk);
	thrift_end(&own);
	thrift_end(&element);
}

static void put_group(struct parquet_file *file, const struct group *group, struct strbuf *to)
{
	const struct parquet_chunk *chunks = (const void *)group->chunks.data;
	size_t columns = column_count(file);
	uint64_t size = 0, plain_size = 0;
	struct thrift own = {.to = to};

	thrift_list(&own, GROUP_COLUMNS, THRIFT_STRUCT, columns);
	for (size_t i = 0; i < columns; i++) {
		put_chunk(file, column_at(file, i), &chunks[i], to);
		size += chunks[i].size;
		plain_size += chunks[i].plain_size;
	}
	thrift_number(&own, GROUP_PLAIN_SIZE, THRIFT_I64, (int64_t)plain_size);
	thrift_number(&own, GROUP_ROWS, THRIFT_I64, group->rows);
	thrift_number(&own, GROUP_OFFSET, THRIFT_I64, (int64_t)chunks[0].start);
	thrift_number(&own, GROUP_SIZE, THRIFT_I64, (int64_t)size);
	thrift_end(&own);
}

/* The order of the least and the largest values, a union for each column. */
static void put_orders(struct parquet_file *file, struct thrift *footer)
{
	thrift_list(footer, FILE_ORDERS, THRIFT_STRUCT, column_count(file));
	for (size_t i = 0; i < column_count(file); i++) {
		struct thrift element = {.to = footer->to};
		struct thrift by_type = thrift_struct(&element, ORDER_BY_TYPE);

		thrift_end(&by_type);
		thrift_end(&element);
	}
}

static int put_footer(struct parquet_file *file)
{
	struct strbuf *to = &file->sink.text, text = STRBUF_INIT;
	struct thrift footer = {.to = &text};
	uint32_t size;

	thrift_number(&footer, FILE_VERSION_FIELD, THRIFT_I32, FILE_VERSION);
	put_schema(file, &footer);
	thrift_number(&footer, FILE_ROWS, THRIFT_I64, (int64_t)file->rows);
	thrift_list(&footer, FILE_GROUPS, THRIFT_STRUCT, group_count(file));
	for (size_t i = 0; i < group_count(file); i++)
		put_group(file, group_at(file, i), &text);
	thrift_list(&footer, FILE_PAIRS, THRIFT_STRUCT, file->pair_count);
	strbuf_append(&text, file->pairs.data, file->pairs.length);
	thrift_string(&footer, FILE_CREATED_BY, PACKAGE_NAME " version " PACKAGE_VERSION);
	put_orders(file, &footer);
	thrift_end(&footer);
	strbuf_append(to, text.data, text.length);
	size = htole32((uint32_t)text.length);
	strbuf_append(to, &size, sizeof(size));
	strbuf_string(to, magic);
	file->failed |= text.failed || file->pairs.failed;
	strbuf_free(&text);
	return file->failed ? -1 : 0;
}

int parquet_file_close(struct parquet_file *file, struct strbuf *error)
{
	int result = file->failed ? -1 : 0;

	if (!result && !error->length && !file->sink.error)
		result =
			(file->row && end_group(file)) || complete_groups(file) || put_footer(file);
	if (file->failed && !error->length)
		strbuf_string(error, "out of memory for the file");
	if (sink_close(&file->sink, error))
		result = -1;
	free_file(file);
	return result ? -1 : 0;
}
