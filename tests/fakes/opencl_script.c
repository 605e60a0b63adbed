/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

/* FAKE_OPENCL: NAME or NAME=VALUE, separated by blanks; a name alone means 1. */

struct script script = {
	.vendor = "none",
	.board = "Fake Board",
	.cc = 90,
	.warp = 32,
	.version = 300,
	.platforms = 1,
	.devices = 1,
	.registers = 31,
	.shared = 32800,
	.stamps = "good",
	.clock = "monotonic",
	.offset = 1000000000000000,
};

/* clang-format off */
#define TEXT(member) {.name = #member, .text = &script.member}
#define NUMBER(member) {.name = #member, .number = &script.member}

static const struct word {
	const char *name;
	const char **text;
	int64_t *number;
} words[] = {
	TEXT(vendor), TEXT(board), TEXT(kernel), TEXT(stamps), TEXT(clock),
	NUMBER(cc), NUMBER(warp), NUMBER(version), NUMBER(platforms), NUMBER(devices),
	NUMBER(suggest), NUMBER(registers), NUMBER(shared), NUMBER(noprofiling), NUMBER(offset),
	NUMBER(drift), NUMBER(timer), NUMBER(holds), NUMBER(slow), NUMBER(lazy), NUMBER(late),
	NUMBER(step), NUMBER(never), NUMBER(fail), NUMBER(refuse), NUMBER(reuse), NUMBER(leaks),
	{.name = NULL},
};
/* clang-format on */

static void read_word(char *text)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = '\0';
	for (const struct word *word = words; word->name; word++) {
		if (strcmp(word->name, text) != 0)
			continue;
		if (word->text)
			*word->text = value ? value : "";
		else
			*word->number = value ? strtoll(value, NULL, 0) : 1;
		return;
	}
	complain("FAKE_OPENCL has no word '%s'", text);
}

void script_read(void)
{
	static char buffer[4096];
	const char *text = getenv("FAKE_OPENCL");
	char *rest;

	if (!text)
		return;
	strncpy(buffer, text, sizeof(buffer) - 1);
	for (char *word = strtok_r(buffer, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		read_word(word);
}
