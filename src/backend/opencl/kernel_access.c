/* SPDX-License-Identifier: MIT */
#include "backend/opencl/kernel_access.h"

#include <string.h>

#include "model/event.h"

enum { UNKNOWN = -1, WORD = 16 };

static bool is_one_of(const char *at, size_t length, const char words[][WORD], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == length && !memcmp(words[i], at, length))
			return true;
	return false;
}

static size_t word_length(const char *at)
{
	size_t length = 0;

	while (source_is_word(at[length]))
		length++;
	return length;
}

static bool is_in_directives(const struct kernel_source *found, const char *word, size_t length)
{
	const char *directives = found->text.directives.data;

	return source_mentions(directives, directives + found->text.directives.length, word,
			       length);
}

static bool is_qualifier(const char *at, size_t length)
{
	static const char words[][WORD] = {
		"__global", "global",	  "__constant",	  "constant", "const",	"volatile",
		"restrict", "__restrict", "__restrict__", "unsigned", "signed",
	};

	return is_one_of(at, length, words, sizeof(words) / sizeof(words[0]));
}

/* A scalar or a vector: an element of another type may be an array, and then a pointer. */
static bool is_plain(const char *at, size_t length)
{
	static const char words[][WORD] = {
		"char", "uchar", "short",  "ushort", "int",  "uint",   "long",	   "ulong",
		"half", "float", "double", "size_t", "bool", "signed", "unsigned",
	};

	while (length && at[length - 1] >= '0' && at[length - 1] <= '9')
		length--;
	return is_one_of(at, length, words, sizeof(words) / sizeof(words[0]));
}

/* Returns true if what is between "typedef" and its semicolon gives a plain type a name. */
static bool is_plain_typedef(const struct kernel_source *found, const char *at, const char *end)
{
	const char *last = NULL;
	size_t length = 0;
	unsigned words = 0;

	for (at = source_after_blanks(at); at < end; at = source_after_blanks(at + length)) {
		if (last && (!is_plain(last, length) || is_in_directives(found, last, length)))
			return false;
		last = at;
		length = word_length(at);
		if (!length)
			return false;
		words++;
	}
	return words > 1;
}

/* Returns true if the source has a typedef with this name, and all such are of plain types. */
static bool names_plain_type(const struct kernel_source *found, const char *name, size_t length)
{
	const char *at = found->text.code.data, *end;
	bool is = false;

	while ((at = strstr(at, "typedef"))) {
		at += strlen("typedef");
		end = at + strcspn(at, ";");
		if (!source_mentions(at, end, name, length))
			continue;
		if (!is_plain_typedef(found, at, end))
			return false;
		is = true;
	}
	return is;
}

/* Returns true if the parameter is a pointer to elements of a plain type. */
static bool is_plain_pointer(const struct kernel_source *found, const struct parameter *parameter)
{
	unsigned stars = 0;

	for (const char *at = parameter->declaration; at < parameter->name;) {
		size_t length = word_length(at);

		if (length && (is_in_directives(found, at, length) ||
			       (!is_qualifier(at, length) && !is_plain(at, length) &&
				!names_plain_type(found, at, length))))
			return false;
		stars += *at == '*';
		if (!length && !strchr("* \t\r\n\v\f", *at))
			return false;
		at += length ? length : 1;
	}
	return stars == 1 && parameter->name[parameter->length] != '[';
}

/* Returns what the declaration says, or UNKNOWN. */
static int declared(const struct kernel_source *found, const struct parameter *parameter)
{
	static const struct {
		const char word[WORD];
		int access;
	} words[] = {
		{"__constant", USE_READ},  {"constant", USE_READ},
		{"const", USE_READ},	   {"__read_only", USE_READ},
		{"read_only", USE_READ},   {"__write_only", USE_WRITE},
		{"write_only", USE_WRITE}, {"__read_write", USE_READ_WRITE},
	};
	const char *star = memchr(parameter->declaration, '*',
				  (size_t)(parameter->name - parameter->declaration));
	const char *end = star ? star : parameter->name;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (source_mentions(parameter->declaration, end, words[i].word,
				    strlen(words[i].word)))
			return is_in_directives(found, words[i].word, strlen(words[i].word))
				       ? UNKNOWN
				       : words[i].access;
	return UNKNOWN;
}

/* Returns true if the body has calls of macros, or instructions of the device. */
static bool has_macros(const struct kernel_source *found)
{
	for (const char *at = found->body; at < found->end;) {
		size_t length = word_length(at);

		if (length && *source_after_blanks(at + length) == '(' &&
		    (is_in_directives(found, at, length) ||
		     is_one_of(at, length, (const char[][WORD]){"asm", "__asm", "__asm__"}, 3)))
			return true;
		at += length ? length : 1;
	}
	return source_mentions(found->body, found->end, "asm", strlen("asm")) ||
	       source_mentions(found->body, found->end, "__asm", strlen("__asm")) ||
	       source_mentions(found->body, found->end, "__asm__", strlen("__asm__"));
}

static const char *before_blanks(const char *at)
{
	while (strchr(" \t\r\n\v\f", at[-1]))
		at--;
	return at - 1;
}

/* Returns true if the word that ends at `last` may be before an expression. */
static bool is_keyword(const char *last)
{
	static const char words[][WORD] = {"else", "do", "return"};
	const char *start = last;

	while (source_is_word(start[-1]))
		start--;
	return is_one_of(start, (size_t)(last + 1 - start), words, 3);
}

/* Returns what is done to an element before it is used: UNKNOWN if it is not only read there. `at`
 * is the start of the access, and `follower` what is behind it. */
static int before(const char *at, char follower)
{
	const char *last = before_blanks(at), *outside;

	if (source_is_word(*last))
		return is_keyword(last) ? USE_NONE : UNKNOWN;
	if ((*last == '+' || *last == '-') && last[-1] == *last)
		return USE_READ_WRITE;
	/* "(element) = 1"; but the value is passed to a function, or a condition. */
	if (*last == '(' && follower == ')') {
		outside = before_blanks(last);
		return source_is_word(*outside) && !is_keyword(outside) ? USE_NONE : UNKNOWN;
	}
	if (*last == '&')
		return last[-1] == '&' ? USE_NONE : UNKNOWN;
	if (*last == '>' && last[-1] == '-')
		return UNKNOWN;
	return strchr(";{}()[,=+-*/%<>!~?:|^", *last) ? USE_NONE : UNKNOWN;
}

/* Returns what is done to an element by the operator behind it. */
static int after(const char *at)
{
	size_t shift = (*at == '<' || *at == '>') && at[1] == *at;

	if (*at == '=')
		return at[1] == '=' ? USE_READ : USE_WRITE;
	if ((*at == '+' || *at == '-') && at[1] == *at)
		return USE_READ_WRITE;
	if (*at == '-' && at[1] == '>')
		return UNKNOWN;
	if (*at && strchr("+-*/%&|^", *at) && at[1] == '=')
		return USE_READ_WRITE;
	if (shift && at[2] == '=')
		return USE_READ_WRITE;
	if (*at == '!')
		return at[1] == '=' ? USE_READ : UNKNOWN;
	return *at && strchr(";,)]}?:+-*/%&|^<>", *at) ? USE_READ : UNKNOWN;
}

/* Returns the access whose parameter ends at `end`. */
static int access_at(const char *at, const char *end)
{
	int access, first;

	end = source_after_blanks(end);
	end = *end == '[' ? source_closing(end, ']') : NULL;
	if (!end)
		return UNKNOWN;
	end = source_after_blanks(end + 1);
	while (*end == '.') { /* components of a vector */
		end = source_after_blanks(end + 1);
		end = source_after_blanks(end + word_length(end));
	}
	access = after(end);
	first = before(at, *end);
	return access == UNKNOWN || first == UNKNOWN ? UNKNOWN : access | first;
}

int kernel_source_access(const struct kernel_source *found, unsigned index, unsigned count)
{
	struct parameter parameter;
	const char *at = found->body;
	int access = USE_NONE, one;

	if (!kernel_source_parameter(found, index, count, &parameter))
		return UNKNOWN;
	if (!source_mentions(at, found->end, parameter.name, parameter.length))
		return USE_NONE;
	one = declared(found, &parameter);
	if (one != UNKNOWN)
		return one;
	if (!is_plain_pointer(found, &parameter) || has_macros(found))
		return UNKNOWN;
	while (at < found->end) {
		size_t length = word_length(at);

		if (length == parameter.length && !memcmp(at, parameter.name, length)) {
			one = access_at(at, at + length);
			if (one == UNKNOWN)
				return UNKNOWN;
			access |= one;
		}
		at += length ? length : 1;
	}
	return access;
}
