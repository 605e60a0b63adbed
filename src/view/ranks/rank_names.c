/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

enum { POSITIONS = 16, DIGITS = 18 };

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Returns false for a number that is too large for a rank. */
static bool read_number(const char *at, uint64_t *number)
{
	const char *end;

	*number = number_read(at, &end);
	return end > at && end - at <= DIGITS;
}

/* The number after the last word "rank"; a dot, a dash or a blank, for example, may stand between
 * them. */
static bool number_of_word(const char *path, uint64_t *rank)
{
	static const char word[] = "rank";
	bool found = false;

	for (const char *at = path; *at; at++) {
		size_t letter = 0;

		while (word[letter] && text_lower(at[letter]) == word[letter])
			letter++;
		if (word[letter])
			continue;
		at += letter - 1;
		if (read_number(at + 1 + (at[1] && strchr("._-= ", at[1])), rank))
			found = true;
	}
	return found;
}

/* The number at this position, counted from the end of the path from 0. */
static bool number_at(const char *path, int position, uint64_t *number)
{
	const char *at = path + strlen(path);

	while (at > path) {
		at--;
		if (!is_digit(*at) || (at > path && is_digit(at[-1])))
			continue;
		if (!position--)
			return read_number(at, number);
	}
	return false;
}

static bool get(const struct rank_name *name, int position, uint64_t *number)
{
	return position < 0 ? number_of_word(name->path, number)
			    : number_at(name->path, position, number);
}

/* Returns true if all paths have a number at the position, with different ones among them, and none
 * is the number of its process. */
static bool differs(const struct rank_name *names, size_t count, int position)
{
	uint64_t first = 0, number;
	bool other = false;

	for (size_t i = 0; i < count; i++) {
		if (!get(&names[i], position, &number) || (names[i].pid && number == names[i].pid))
			return false;
		if (!i)
			first = number;
		other |= number != first;
	}
	return other;
}

/* Returns true if the numbers of the files at the position are 0, 1 and so on, each once. */
static bool counts_files(const struct rank_name *names, size_t count, int position)
{
	char *seen = calloc(count, 1);
	uint64_t number, largest = 0;
	size_t files = 0;
	bool once = seen;

	for (size_t i = 0; once && i < count; i++) {
		if (i && !strcmp(names[i].path, names[i - 1].path))
			continue;
		once = get(&names[i], position, &number) && number < count && !seen[number];
		if (!once)
			break;
		seen[number] = 1;
		largest = number > largest ? number : largest;
		files++;
	}
	free(seen);
	return once && largest + 1 == files;
}

/* Returns -1 if there is none. */
static int find_position(const struct rank_name *names, size_t count)
{
	int found[POSITIONS], number = 0;

	for (int position = 0; position < POSITIONS; position++)
		if (differs(names, count, position))
			found[number++] = position;
	if (number == 1)
		return found[0];
	for (int i = 0; i < number; i++)
		if (counts_files(names, count, found[i]))
			return found[i];
	return -1;
}

enum rank_source rank_names(struct rank_name *names, size_t count)
{
	bool word = differs(names, count, -1);
	int position = word ? -1 : find_position(names, count);

	for (size_t i = 0; i < count; i++) {
		names[i].rank = i;
		if (!word && position < 0)
			continue;
		get(&names[i], position, &names[i].rank);
	}
	if (word)
		return RANKS_WORD;
	return position < 0 ? RANKS_ORDER : RANKS_NUMBER;
}

void rank_names_by_word(struct rank_name *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!number_of_word(names[i].path, &names[i].rank))
			names[i].rank = i;
}
