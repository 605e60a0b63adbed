/* SPDX-License-Identifier: MIT */
#include "cli/file_kind.h"

#include <string.h>

static const struct file_kind written[] = {
#define FORMAT(id, output, name, end, sentence)                                                    \
	{.extension = (end),                                                                       \
	 .help = (sentence),                                                                       \
	 .variable = "COMPUTE_PROFILE_LOG",                                                        \
	 .format = FORMAT_##id},
#include "model/formats.def"
#undef FORMAT
	{.extension = ".cptrace",
	 .help = "a binary trace, from which all others can be made",
	 .variable = "COMPUTE_PROFILE_TRACE",
	 .format = FORMAT_COUNT},
};

enum { WRITTEN = sizeof(written) / sizeof(written[0]) };

static struct file_kind kind_of(const struct view *view)
{
	return (struct file_kind){.extension = view->extension,
				  .help = view->help,
				  .format = FORMAT_COUNT,
				  .view = view};
}

bool file_kind_at(unsigned int number, struct file_kind *kind)
{
	if (number < WRITTEN)
		*kind = written[number];
	else if (views[number - WRITTEN])
		*kind = kind_of(views[number - WRITTEN]);
	else
		return false;
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = end ? strlen(end) : 0;

	return tail && length >= tail && !strcmp(text + length - tail, end);
}

bool file_kind_of(const char *file, struct file_kind *kind)
{
	const struct view *view = file ? view_find(file) : NULL;

	*kind = view ? kind_of(view) : (struct file_kind){.format = FORMAT_COUNT};
	for (int i = 0; file && !view && i < WRITTEN; i++)
		if (ends_with(file, written[i].extension))
			*kind = written[i];
	return kind->extension;
}
