/* SPDX-License-Identifier: MIT */
/* The input is a name: of a kernel and of a device. */
#include <string.h>

#include "fuzz.h"
#include "machine.h"
#include "output/escape.h"
#include "texts.h"

/* Checks for bytes that would end a value: a blank, a ] before one or at the end; in CSV, a
 * comma. */
static void check_separators(const char *text, size_t length, enum escape escape)
{
	if (escape == ESCAPE_TEXT)
		return;
	CHECK(!text_has(text, length, ' '));
	CHECK(!length || text[length - 1] != ']');
	if (escape == ESCAPE_WORD)
		return;
	CHECK(!text_has(text, length, ','));
	CHECK(!length || (*text != '"' && *text != '#'));
	CHECK(length < 8 || memcmp(text, "NV_Error", 8));
	CHECK(length < 10 || memcmp(text, "NV_Warning", 10));
}

static void check_escape(const char *name, size_t size, enum escape escape)
{
	char *text = malloc(ESCAPE_SIZE(size) + !size);
	size_t length = (size_t)(escape_name(text, name, size, escape) - text);

	CHECK(length >= size && length <= ESCAPE_SIZE(size));
	CHECK(text_is_plain(text, length) && !text_has(text, length, '\n'));
	check_separators(text, length, escape);
	CHECK(text_means((struct log_text){text, length}, name, size));
	free(text);
}

/* Logs of a kernel and a device with that name, up to the first NUL. */
static void check_logs(const char *name, size_t size)
{
	struct catalog catalog;
	struct record record = {
		.frame = {.size = sizeof(record), .kind = FRAME_KERNEL},
		.known = UINT32_MAX,
	};
	char *device = strndup(name, size);

	CHECK(device && !catalog_init(&catalog));
	record.name = names_intern(catalog.names, name, size);
	CHECK(!catalog_add_device(&catalog, &(struct device){.name = device}));
	CHECK(!catalog_add_context(&catalog, &(struct context){0}));
	check_log_of(&catalog, &record, (int)(size % 8));
	catalog_free(&catalog);
	free(device);
}

void fuzz_escape(const uint8_t *data, size_t size)
{
	char *name = malloc(size + !size); /* a separate block that ends at the end of the name */

	if (size)
		memcpy(name, data, size);
	check_escape(name, size, ESCAPE_TEXT);
	check_escape(name, size, ESCAPE_WORD);
	check_escape(name, size, ESCAPE_FIELD);
	check_logs(name, size);
	free(name);
}
