/* SPDX-License-Identifier: MIT */
#include "view/sqlite/cuptiname.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define FUNCTION(number, name) [number] = #name,

static const char *const runtime[] = {
#include "view/sqlite/cupti_runtime.def"
};

static const char *const driver[] = {
#include "view/sqlite/cupti_driver.def"
};

#undef FUNCTION

static const struct {
	const char *const *names;
	size_t count;
	const char *unknown;
} tables[] = {
	{runtime, sizeof(runtime) / sizeof(runtime[0]), "runtime_function_"},
	{driver, sizeof(driver) / sizeof(driver[0]), "driver_function_"},
};

/* Returns the length of a prefix such as "_v3020", 0 without one. */
static size_t version_length(const char *text)
{
	size_t length = 2;

	if (strncmp(text, "_v", 2) != 0 || !isdigit((unsigned char)text[2]))
		return 0;
	while (isdigit((unsigned char)text[length]))
		length++;
	return text[length] && text[length] != '_' ? 0 : length;
}

void cuptiname_put(struct strbuf *to, bool is_driver, uint32_t number)
{
	const char *name = NULL;

	if (number < tables[is_driver].count)
		name = tables[is_driver].names[number];
	if (!name) {
		strbuf_printf(to, "%s%u", tables[is_driver].unknown, number);
		return;
	}
	while (*name) {
		size_t version = version_length(name);

		if (version)
			name += version;
		else
			strbuf_char(to, *name++);
	}
}
