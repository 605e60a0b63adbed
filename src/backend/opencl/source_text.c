/* SPDX-License-Identifier: MIT */
#include "backend/opencl/source_text.h"

#include <string.h>

/* Appends the source without line splices. */
static void splice(struct strbuf *to, const char *source)
{
	for (const char *at = source; *at; at++) {
		size_t blanks = *at == '\\' ? strspn(at + 1, " \t\r") : 0;

		if (*at == '\\' && at[1 + blanks] == '\n')
			at += 1 + blanks;
		else
			strbuf_char(to, *at);
	}
}

/* Returns the end of a string or character constant, NULL if its line does not have it. */
static const char *quoted_end(const char *at)
{
	char quote = *at++;

	for (; *at && *at != '\n'; at++) {
		if (*at == quote)
			return at + 1;
		if (*at == '\\' && at[1] && at[1] != '\n')
			at++;
	}
	return NULL;
}

/* Returns the end of a comment, NULL if there is none. */
static const char *comment_end(const char *at)
{
	const char *end;

	if (at[1] == '/')
		return at + strcspn(at, "\n");
	end = strstr(at + 2, "*/");
	return end ? end + 2 : NULL;
}

/* Appends the text without comments and constants. Returns false if one has no end. */
static bool strip(struct strbuf *to, const char *text)
{
	while (text && *text) {
		if (*text == '"' || *text == '\'') {
			text = quoted_end(text);
			strbuf_string(to, " 0 ");
		} else if (*text == '/' && (text[1] == '/' || text[1] == '*')) {
			text = comment_end(text);
			strbuf_char(to, ' ');
		} else {
			strbuf_char(to, *text++);
		}
	}
	return text;
}

/* Returns the length of a directive's name that is also a keyword: "if" and "else" of conditions.
 */
static size_t keyword_length(const char *name)
{
	return !strncmp(name, "if", 2) && !source_is_word(name[2])     ? 2
	       : !strncmp(name, "else", 4) && !source_is_word(name[4]) ? 4
								       : 0;
}

/* Appends the lines of a text to code or directives. */
static void separate(struct source_text *found, const char *text)
{
	while (*text) {
		size_t blanks = strspn(text, " \t\r\v\f"), length = strcspn(text, "\n");
		const char *name = text + blanks + 1;

		if (text[blanks] == '#') {
			name += strspn(name, " \t");
			if (strncmp(name, "pragma", strlen("pragma")))
				strbuf_char(&found->code, SOURCE_DIRECTIVE);
			name += keyword_length(name);
			strbuf_char(&found->directives, '#');
			strbuf_append(&found->directives, name, (size_t)(text + length - name));
			strbuf_char(&found->directives, '\n');
		} else {
			strbuf_append(&found->code, text, length);
		}
		strbuf_char(&found->code, '\n');
		text += length + (text[length] == '\n');
	}
}

unsigned source_count(const char *at, const char *end, const char *word, size_t length,
		      const char **last)
{
	unsigned count = 0;

	while (at < end) {
		const char *start = at;

		while (at < end && source_is_word(*at))
			at++;
		if ((size_t)(at - start) == length && !memcmp(start, word, length)) {
			count++;
			*last = at;
		}
		at += at == start;
	}
	return count;
}

bool source_mentions(const char *at, const char *end, const char *word, size_t length)
{
	const char *last;

	return source_count(at, end, word, length, &last);
}

const char *source_closing(const char *at, char close)
{
	char open = *at;
	int depth = 0;

	for (; *at && *at != SOURCE_DIRECTIVE; at++) {
		depth += *at == open;
		depth -= *at == close;
		if (!depth)
			return at;
	}
	return NULL;
}

/* Returns true if each line closes as many brackets as it opens: no macro hides one. */
static bool is_balanced(const char *lines)
{
	int round = 0, square = 0, curly = 0;

	for (; *lines; lines++) {
		round += (*lines == '(') - (*lines == ')');
		square += (*lines == '[') - (*lines == ']');
		curly += (*lines == '{') - (*lines == '}');
		if (round < 0 || square < 0 || curly < 0 ||
		    (*lines == '\n' && (round || square || curly)))
			return false;
	}
	return !round && !square && !curly;
}

static bool has_include(const char *directives)
{
	for (const char *at = strchr(directives, '#'); at; at = strchr(at + 1, '#')) {
		at += strspn(at, "# \t");
		if (!strncmp(at, "include", strlen("include")) ||
		    !strncmp(at, "import", strlen("import")))
			return true;
	}
	return false;
}

/* Appends the options, with names of macros that are words of their own. */
static void put_options(struct strbuf *to, const char *options)
{
	for (; *options; options++) {
		strbuf_char(to, *options);
		if (!strncmp(options, "-D", 2) || !strncmp(options, "-U", 2)) {
			strbuf_string(to, "D ");
			options++;
		}
	}
}

bool source_text_read(struct source_text *found, const char *source, const char *options)
{
	struct strbuf spliced = STRBUF_INIT, stripped = STRBUF_INIT;
	const char *directives, *code;
	bool read;

	*found = (struct source_text){.code = STRBUF_INIT};
	splice(&spliced, source);
	read = strip(&stripped, strbuf_text(&spliced)) && !spliced.failed && !stripped.failed;
	if (read)
		separate(found, strbuf_text(&stripped));
	strbuf_free(&spliced);
	strbuf_free(&stripped);
	put_options(&found->directives, options);
	strbuf_char(&found->directives, '\n');
	directives = strbuf_text(&found->directives);
	code = strbuf_text(&found->code);
	if (!read || found->code.failed || found->directives.failed)
		return false;
	/* Other spellings of brackets, names that are put together, quoted options, and C++. */
	return !strstr(source, "\?\?") && !strstr(code, "<%") && !strstr(code, "%>") &&
	       !strstr(code, "%:") && !strchr(code, '\\') && !strstr(directives, "##") &&
	       !strpbrk(options, "\"'\\{}") && !strstr(options, "++") && is_balanced(directives) &&
	       !has_include(directives);
}

void source_text_free(struct source_text *text)
{
	strbuf_free(&text->code);
	strbuf_free(&text->directives);
}
