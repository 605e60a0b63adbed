/* SPDX-License-Identifier: MIT */
/*
 * The input is texts, one per line: a pattern, the variables NAME and PMI_RANK, the host's name,
 * the log's number and the process id. The expansion is computed here a second time.
 */
#include "settings/filename.h"

#include <string.h>

#include "base/number.h"
#include "fuzz.h"
#include "machine.h"

enum part { PATTERN, NAME, RANK, HOST, NUMBER, PROCESS, PARTS };

static void split(char *parts[PARTS], char *text)
{
	for (int i = 0; i < PARTS; i++) {
		char *end = text + strcspn(text, "\n");

		parts[i] = text;
		text = end + (*end != '\0');
		*end = '\0';
	}
}

/* The expected expansion according to filename.h. */
struct answer {
	char text[1 << 18]; /* 256 times a rank of 512 bytes is half of it */
	size_t length;
	unsigned slashes; /* of the pattern itself */
};

static void put(struct answer *answer, char byte)
{
	CHECK(answer->length < sizeof(answer->text) - 1);
	answer->text[answer->length++] = byte;
	answer->text[answer->length] = '\0';
}

/* Returns true if the text after the last slash has only dots. */
static bool only_dots(const struct answer *answer)
{
	const char *slash = strrchr(answer->text, '/');
	const char *at = slash ? slash + 1 : answer->text;

	return !at[strspn(at, ".")];
}

static void put_value(struct answer *answer, const char *value)
{
	for (; value && *value; value++)
		put(answer, *value == '/' || (*value == '.' && only_dots(answer)) ? '_' : *value);
}

static void put_number(struct answer *answer, uint32_t number)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%u", number);
	for (const char *at = digits; *at; at++)
		put(answer, *at);
}

/* Expands at `at` and returns the rest; NULL without an expansion. */
static const char *expand(struct answer *answer, const char *at, char *const parts[PARTS],
			  const uint32_t numbers[2])
{
	const char *end;

	switch (at[1]) {
	case '%':
		put(answer, '%');
		return at + 2;
	case 'd':
	case 'p':
		put_number(answer, numbers[at[1] == 'p']);
		return at + 2;
	case 'h':
		put_value(answer, parts[HOST]);
		return at + 2;
	case 'r':
		put_value(answer, parts[RANK]);
		return at + 2;
	case 'q':
		end = at[2] == '{' ? strchr(at, '}') : NULL;
		if (end && end - at == 7 && !memcmp(at, "%q{NAME}", 8))
			put_value(answer, parts[NAME]);
		return end ? end + 1 : NULL;
	default:
		return NULL;
	}
}

static void solve(struct answer *answer, char *const parts[PARTS], const uint32_t numbers[2])
{
	*answer->text = '\0';
	answer->length = 0;
	answer->slashes = 0;
	for (const char *at = parts[PATTERN], *rest; *at; at = rest) {
		/* An empty value at the start does not make the name absolute. */
		if (*at == '/' && at > parts[PATTERN] && !answer->length)
			put(answer, '.');
		rest = *at == '%' ? expand(answer, at, parts, numbers) : NULL;
		if (rest)
			continue;
		answer->slashes += *at == '/';
		put(answer, *at);
		rest = at + 1;
	}
}

static void check_expanded(const struct answer *answer, const char *pattern,
			   const uint32_t numbers[2])
{
	struct strbuf to = STRBUF_INIT, fixed = STRBUF_INIT, later = STRBUF_INIT;
	unsigned slashes = 0;

	filename_expand(&to, pattern, numbers[0], numbers[1]);
	CHECK(!strcmp(strbuf_text(&to), answer->text) && to.length == answer->length);
	for (size_t i = 0; i < to.length; i++)
		slashes += to.data[i] == '/';
	CHECK(slashes == answer->slashes);
	/* First the values known at the start, and later the others. */
	filename_fix(&fixed, pattern);
	filename_expand(&later, strbuf_text(&fixed), numbers[0], numbers[1]);
	CHECK(!strcmp(strbuf_text(&later), answer->text));
	CHECK(filename_has(strbuf_text(&fixed), 'd') == filename_has(pattern, 'd'));
	CHECK(filename_has(strbuf_text(&fixed), 'p') == filename_has(pattern, 'p'));
	CHECK(!filename_has(strbuf_text(&fixed), 'q') && !filename_has(strbuf_text(&fixed), 'h'));
	strbuf_free(&to);
	strbuf_free(&fixed);
	strbuf_free(&later);
}

/* A log's name depends only on the expansions in its pattern. */
static void check_has(const char *pattern)
{
	for (int i = 0; i < 2; i++) {
		struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;

		filename_expand(&one, pattern, 1, 1);
		filename_expand(&other, pattern, 1 + (i == 0), 1 + (i == 1));
		CHECK(!strcmp(strbuf_text(&one), strbuf_text(&other)) ==
		      !filename_has(pattern, "dp"[i]));
		strbuf_free(&one);
		strbuf_free(&other);
	}
}

/* A tag (a newline, since no path here has one) is inserted before the extension of the last
 * component, and the rest is unchanged. */
static void check_tag(const char *path)
{
	struct strbuf to = STRBUF_INIT;
	const char *slash = strrchr(path, '/'), *tag, *text;
	size_t before;

	filename_tag(&to, path, "\n");
	text = strbuf_text(&to);
	tag = strchr(text, '\n');
	CHECK(tag && tag > text && tag[-1] == '.');
	before = (size_t)(tag - 1 - text);
	CHECK(!strncmp(text, path, before) && !strcmp(tag + 1, path + before));
	CHECK(!slash || path + before > slash);
	CHECK(!path[before] || path[before] == '.');
	CHECK(!path[before] || !strchr(path + before + 1, '.'));
	strbuf_free(&to);
}

void fuzz_filename(const uint8_t *data, size_t size)
{
	static struct answer answer;
	char *parts[PARTS];
	char *text = malloc(size + 1);
	uint32_t numbers[2];

	if (size > 1024) {
		free(text);
		return;
	}
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	split(parts, text);
	if (strlen(parts[HOST]) > 64)
		parts[HOST][64] = '\0';
	machine_variable("NAME", parts[NAME]);
	machine_variable("PMI_RANK", parts[RANK]);
	machine_name(parts[HOST]);
	numbers[0] = (uint32_t)number_read(parts[NUMBER], NULL);
	numbers[1] = (uint32_t)number_read(parts[PROCESS], NULL);
	solve(&answer, parts, numbers);
	check_expanded(&answer, parts[PATTERN], numbers);
	check_has(parts[PATTERN]);
	check_tag(answer.text);
	free(text);
}
