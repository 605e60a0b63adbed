/* SPDX-License-Identifier: MIT */
#include "backend/opencl/kernel_source.h"

#include <string.h>

/* Finds the one place that has the kernel's name. */
static bool find_kernel(struct kernel_source *found, const char *kernel)
{
	const char *code = strbuf_text(&found->text.code), *at = NULL;

	if (source_count(code, code + strlen(code), kernel, strlen(kernel), &at) != 1)
		return false;
	found->list = source_after_blanks(at);
	at = *found->list == '(' ? source_closing(found->list, ')') : NULL;
	if (!at)
		return false;
	found->body = source_after_blanks(at + 1);
	found->end = *found->body == '{' ? source_closing(found->body, '}') : NULL;
	return found->end;
}

bool kernel_source_find(struct kernel_source *found, const char *source, const char *options,
			const char *kernel)
{
	const char *directives;

	*found = (struct kernel_source){.list = NULL};
	if (!source_text_read(&found->text, source, options))
		return false;
	directives = found->text.directives.data;
	return !source_mentions(directives, directives + found->text.directives.length, kernel,
				strlen(kernel)) &&
	       find_kernel(found, kernel);
}

void kernel_source_free(struct kernel_source *found)
{
	source_text_free(&found->text);
}

/* Sets `at` and `end` to the text of a parameter of the list. Returns the number of all. */
static unsigned find_parameter(const char *list, unsigned index, const char **at, const char **end)
{
	unsigned count = 0;
	int depth = 0;

	for (const char *from = list + 1; *list; list++) {
		depth += (*list == '(' || *list == '[') - (*list == ')' || *list == ']');
		if (depth && !(depth == 1 && *list == ','))
			continue;
		if (count++ == index) {
			*at = from;
			*end = list;
		}
		if (!depth)
			break;
		from = list + 1;
	}
	return count;
}

/* Moves `at` and `end` to the name of a parameter, its last word except in brackets. Returns false
 * if there may be another word behind it. */
static bool find_name(const char **at, const char **end)
{
	const char *bracket = memchr(*at, '[', (size_t)(*end - *at));

	if (memchr(*at, '(', (size_t)(*end - *at)))
		return false;
	*end = bracket ? bracket : *end;
	while (*end > *at && strchr(" \t\r\n\v\f", (*end)[-1]))
		(*end)--;
	for (bracket = *end; bracket > *at && source_is_word(bracket[-1]); bracket--)
		;
	*at = bracket;
	return *end > *at;
}

bool kernel_source_parameter(const struct kernel_source *found, unsigned index, unsigned count,
			     struct parameter *parameter)
{
	const char *directives = found->text.directives.data, *at = NULL, *end = NULL, *last;

	if (index >= count || find_parameter(found->list, index, &at, &end) != count)
		return false;
	parameter->declaration = at;
	if (!find_name(&at, &end))
		return false;
	parameter->name = at;
	parameter->length = (size_t)(end - at);
	return source_count(found->list, found->body, at, parameter->length, &last) == 1 &&
	       !source_mentions(directives, directives + found->text.directives.length, at,
				parameter->length);
}
