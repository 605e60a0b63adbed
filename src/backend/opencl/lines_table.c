/* SPDX-License-Identifier: MIT */
#include "backend/opencl/lines_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { SITES_MOST = 1 << 16, NAME = 24 };

static const char *next_line(const char *at)
{
	const char *end = strchr(at, '\n');

	return end ? end + 1 : NULL;
}

/* Moves `at` past the word, and returns true, if it is there. */
static bool take(const char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length))
		return false;
	*at += length;
	return true;
}

static uint32_t take_number(const char **at)
{
	uint64_t number = number_read(*at, at);

	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* Sets the length of the word, and moves `at` past it and the blank behind it. */
static void take_word(const char **at, const char *text, uint32_t *start, uint32_t *length)
{
	*start = (uint32_t)(*at - text);
	*length = (uint32_t)strcspn(*at, " \n");
	*at += *length;
	*at += **at == ' ';
}

/* "NUMBER load|store values|count SIZE FUNCTION LINE COLUMN FILE: TYPE" */
static bool read_site(struct lines_table *table, const char *text, const char *at)
{
	uint32_t number = take_number(&at);
	struct lines_site *site;
	uint32_t unused;

	if (number >= table->sites)
		return false;
	site = &table->list[number];
	site->is_store = take(&at, " store ");
	if (!site->is_store && !take(&at, " load "))
		return false;
	take_word(&at, text, &unused, &unused); /* values or count */
	take_number(&at);
	at += *at == ' ';
	take_word(&at, text, &site->function_at, &site->function_length);
	site->line = take_number(&at);
	at += *at == ' ';
	take_number(&at);
	at += *at == ' ';
	site->file_at = (uint32_t)(at - text);
	site->file_length = (uint32_t)strcspn(at, "\n");
	at = strstr(at, ": ");
	if (!at || at - text - site->file_at > site->file_length)
		return false;
	site->file_length = (uint32_t)(at - text) - site->file_at;
	return true;
}

bool lines_table_read(struct lines_table *table, const char *text)
{
	const char *at = text;
	uint32_t found = 0;
	bool is_right = true;

	*table = (struct lines_table){0};
	if (!take(&at, "// computeprof-rewrite 2 sites "))
		return false;
	table->sites = take_number(&at);
	if (!take(&at, " stripes "))
		return false;
	table->stripes = take_number(&at);
	if (!take(&at, " words 16 sums ") || !table->sites || table->sites > SITES_MOST ||
	    !table->stripes || table->stripes > SITES_MOST)
		return false;
	table->by_group = take(&at, "work-group\n");
	table->list = calloc(table->sites, sizeof(*table->list));
	for (at = text; table->list && at && take(&at, "// "); at = next_line(at)) {
		if (!take(&at, "site "))
			continue;
		found++;
		is_right &= read_site(table, text, at);
	}
	/* Sites of functions that no kernel calls are not listed. */
	if (found && is_right)
		return true;
	free(table->list);
	table->list = NULL;
	return false;
}

size_t lines_table_bytes(const struct lines_table *table)
{
	return ((size_t)table->sites * table->stripes + 1) * LINES_WORDS * sizeof(uint32_t);
}

/* "FILE:LINE:COLUMN: kernel NAME is not rewritten: REASON" */
static const char *reason_of_kernel(const char *line, const char *kernel)
{
	const char *at = strstr(line, ": kernel "), *end = strchr(line, '\n');
	size_t length = strlen(kernel);

	if (!at || (end && at > end))
		return NULL;
	at += sizeof(": kernel ") - 1;
	if (strncmp(at, kernel, length))
		return NULL;
	at += length;
	return take(&at, " is not rewritten: ") ? at : NULL;
}

void lines_table_reason(struct strbuf *to, const char *reasons, const char *kernel)
{
	const char *found = NULL;

	for (const char *line = reasons; line && !found; line = next_line(line))
		found = reason_of_kernel(line, kernel);
	if (!found)
		found = reasons;
	strbuf_append(to, found, strcspn(found, "\n"));
}

const char *lines_table_included(const char **at, size_t *length)
{
	const char *line;

	while (*at && take(at, "// ")) {
		line = *at;
		*at = next_line(*at);
		if (take(&line, "included ")) {
			*length = strcspn(line, "\n");
			return line;
		}
	}
	return NULL;
}

uint64_t lines_table_groups(const struct lines_table *table, const uint32_t *counters)
{
	const uint32_t *at = counters + (size_t)table->sites * table->stripes * LINES_WORDS;

	return at[0] | (uint64_t)at[1] << 32;
}

bool lines_table_kernel(const char *text, const char *kernel, struct lines_arguments *arguments,
			struct strbuf *reason)
{
	for (const char *at = text; at && take(&at, "// "); at = next_line(at)) {
		bool is_kernel = take(&at, "kernel ");

		if ((!is_kernel && !take(&at, "original ")) || !take(&at, kernel))
			continue;
		if (is_kernel && take(&at, " argument ")) {
			arguments->index = take_number(&at);
			arguments->local = take(&at, " local ") ? take_number(&at) : 0;
			return *at == '\n';
		}
		if (!is_kernel && take(&at, ": ")) {
			strbuf_append(reason, at, strcspn(at, "\n"));
			return false;
		}
	}
	strbuf_string(reason, "it is not among the rewritten kernels");
	return false;
}

static size_t word_length(const char *at)
{
	size_t length = 0;

	while ((at[length] >= 'a' && at[length] <= 'z') ||
	       (at[length] >= 'A' && at[length] <= 'Z') ||
	       (at[length] >= '0' && at[length] <= '9') || at[length] == '_')
		length++;
	return length;
}

static bool is_known(const char *word, size_t length)
{
	/* Without pointers, which the dynamic linker would have to set. */
	static const char known[][NAME] = {
		"__OPENCL_VERSION__",
		"__OPENCL_C_VERSION__",
		"__global",
		"__local",
		"__constant",
		"__private",
		"__kernel",
		"__attribute__",
		"__attribute",
		"__read_only",
		"__write_only",
		"__read_write",
		"__const",
		"__restrict",
		"__restrict__",
		"__inline",
		"__inline__",
		"__VA_ARGS__",
		"__aligned__",
		"__packed__",
		"__const__",
		"__volatile__",
		"__volatile",
		"__signed__",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i]) == length && !memcmp(known[i], word, length))
			return true;
	return false;
}

/* Returns the first of the compiler's own names that is no keyword and no known macro. */
static const char *foreign_name(const char *at, size_t *length)
{
	for (; *at; at += *length ? *length : 1) {
		*length = word_length(at);
		if (*length > 2 && at[0] == '_' && at[1] == '_' && !is_known(at, *length))
			return at;
	}
	return NULL;
}

static const char *obstacle_of_source(const char *source, struct strbuf *room)
{
	size_t length;
	const char *name = foreign_name(source, &length);

	if (!name)
		return NULL;
	strbuf_printf(room, "its source has %.*s, which may be a macro of the compiler",
		      (int)length, name);
	return strbuf_text(room);
}

const char *lines_table_obstacle(const char *source, const char *options, struct strbuf *room)
{
	const char *standard = strstr(options, "-cl-std=");

	if (strpbrk(options, "\"'\\"))
		return "its build options have quotes";
	for (; standard; standard = strstr(standard + 1, "-cl-std="))
		if (strncmp(standard, "-cl-std=CL1.", 12))
			return "variables of OpenCL C 2.0 and later can keep their values between "
			       "launches";
	return obstacle_of_source(source, room);
}

const char *lines_table_difference(const char *kernels, size_t *length)
{
	static const char start[] = "computeprof_differs_";
	const char *at = strstr(kernels, start);

	if (!at)
		return NULL;
	at += sizeof(start) - 1;
	*length = strcspn(at, ";");
	return at;
}

bool lines_table_is_free(const char *source)
{
	/* "local" is in get_local_id and others, "group_" in get_group_id. */
	static const char words[][NAME] = {"local", "group_", "get_num_groups", "barrier", "##"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(source, words[i]))
			return false;
	return true;
}

const char *lines_table_line(const char *source, uint32_t line, size_t *length)
{
	const char *at = source;

	for (uint32_t i = 1; i < line && at; i++)
		at = next_line(at);
	*length = 0;
	if (!at || !line)
		return "";
	at += strspn(at, " \t\r");
	*length = strcspn(at, "\n");
	while (*length && strchr(" \t\r", at[*length - 1]))
		(*length)--;
	return at;
}
