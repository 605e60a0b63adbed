/* SPDX-License-Identifier: MIT */
#include "output/logmethod.h"

#include <string.h>

#include "base/text.h"
#include "model/column.h"
#include "model/method.h"
#include "output/logheader.h"

#define BIT(id) (1U << COLUMN_ID_##id)

enum {
	OF_KERNELS = BIT(GRID) | BIT(GRID3D) | BIT(BLOCK) | BIT(LOCAL_BLOCK) | BIT(DYNAMIC_SHARED) |
		     BIT(STATIC_SHARED) | BIT(REGISTERS) | BIT(OCCUPANCY) | BIT(CACHE_EXECUTED) |
		     BIT(CACHE_REQUESTED),
	OF_TRANSFERS = BIT(BYTES) | BIT(DIRECTION) | BIT(HOST_MEMORY)
};

/* Returns true if `key` is the first name of `header` ("gridsizeX,gridsizeY"), without X, too. */
static bool is_first_of(struct log_text key, const char *header)
{
	for (size_t i = 0; i < key.length; i++)
		if (!header[i] || text_lower(key.text[i]) != text_lower(header[i]))
			return false;
	return key.length && strchr("X,", header[key.length]);
}

/* Returns the columns, as bits, whose first value or name is `key`. */
static unsigned int columns_of(struct log_text key)
{
	unsigned int found = 0;

	for (int i = 0; i < COLUMN_COUNT; i++)
		for (int terms = 0; terms < TERMS_COUNT; terms++)
			if (columns[i].header[terms] && is_first_of(key, columns[i].header[terms]))
				found |= 1U << i;
	return found;
}

static unsigned int row_columns(const struct logreader *reader)
{
	size_t count;
	const struct log_field *fields = logreader_fields(reader, &count);
	unsigned int found = 0;

	for (size_t i = 0; i < count; i++)
		found |= columns_of(fields[i].key);
	return found;
}

/* Returns true if copies have a size or a direction in each row. */
static bool has_copy_columns(const struct logreader *reader)
{
	size_t count;
	const struct log_text *names = logreader_columns(reader, &count);
	unsigned int both = BIT(BYTES) | BIT(DIRECTION), found = 0;

	for (size_t i = 0; i < count; i++)
		found |= columns_of(names[i]);
	return (found & both) == both;
}

bool logmethod_is_transfer(const struct logreader *reader, struct log_text method)
{
	struct record copy = {.known = 0};
	bool copied = text_is(method, "memcopy"), fill = text_is(method, "memset");
	bool named = method_read_copy(&copy, method.text, method.length);
	enum terms terms = api_row(reader->header.api)->terms;
	unsigned int values;

	if (!copied && !fill && !named && !text_is(method, "memsetasync"))
		return false;
	values = row_columns(reader);
	if (values & (OF_TRANSFERS | OF_KERNELS))
		return values & OF_TRANSFERS;
	if (!copied && !fill && logreader_is_classic(reader))
		return false;
	/* NVIDIA's logs have fills without a size; those of OpenCL are computeprof's own. */
	if (!copied && !named && terms != TERMS_WORK_GROUPS)
		return true;
	return !has_copy_columns(reader);
}
