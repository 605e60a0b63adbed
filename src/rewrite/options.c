/* SPDX-License-Identifier: MIT */
#include "rewrite/options.h"

#include <string.h>

/* The value of an option: the rest of its word, or the next one. */
static const char *value_of(const char *const **option)
{
	if ((**option)[2])
		return **option + 2;
	return *(*option + 1) ? *++*option : NULL;
}

/* "NAME", "NAME=BODY" or "NAME(PARAMETERS)=BODY" */
static int define(struct preprocessed *to, const char *value, bool foreign)
{
	size_t length = strcspn(value, "=");
	const char *text = arena_print(to->arena, "%.*s %s", (int)length, value,
				       value[length] ? value + length + 1 : "1");

	return macro_define(&to->macros, token_read(to->arena, "", text, strlen(text)), foreign);
}

static void define_extensions(struct preprocessed *to, const char *names)
{
	size_t length;

	for (; *names; names += length) {
		names += strspn(names, " ");
		length = strcspn(names, " ");
		if (length)
			define(to, arena_copy(to->arena, names, length), true);
	}
}

int options_apply(struct preprocessed *to, const char *extensions, const char *const *options)
{
	const char **folders, *value = "";
	size_t count = 0;

	if (extensions)
		define_extensions(to, extensions);
	for (size_t i = 0; options[i]; i++)
		count++;
	folders = arena_take(to->arena, (count + 1) * sizeof(*folders));
	to->folders = folders;
	for (; *options && value; options++) {
		if ((*options)[0] != '-' || !(*options)[1] || !strchr("DUI", (*options)[1]))
			continue;
		switch ((*options)[1]) {
		case 'D':
			value = value_of(&options);
			if (value && define(to, value, false))
				value = NULL;
			break;
		case 'U':
			value = value_of(&options);
			if (value)
				macro_undefine(&to->macros,
					       token_read(to->arena, "", value, strlen(value)));
			break;
		default:
			value = value_of(&options);
			*folders = value;
			folders += value != NULL;
			break;
		}
	}
	if (!value)
		to->error = "a build option without a value";
	return value ? 0 : -1;
}
