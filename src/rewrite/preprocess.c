/* SPDX-License-Identifier: MIT */
/* Directives (C99 6.10). */
#include "rewrite/preprocess.h"

#include <stdlib.h>
#include <string.h>

#include "rewrite/condition.h"

enum { INCLUDES = 100 /* nested ones */ };

/* An #if. */
struct branch {
	struct branch *outer;
	bool active; /* the lines at hand are used */
	bool taken;  /* a branch of it was used, or none may be */
	bool otherwise;
};

struct state {
	struct preprocessed *to;
	struct branch *branch;
	const char *file;
	struct once *once; /* files of #pragma once */
	unsigned depth;
};

struct once {
	struct once *next;
	const char *file;
};

static void run(struct state *state, struct token *token);

static void fail(struct state *state, const struct token *token, const char *why)
{
	if (state->to->error)
		return;
	state->to->error = why;
	state->to->error_at = token->at;
	if (!state->to->error_at.file)
		state->to->error_at.file = state->file;
}

static bool is_active(const struct state *state)
{
	return !state->branch || state->branch->active;
}

static void put_place(struct preprocessed *to, const struct token *token)
{
	size_t capacity = to->capacity ? to->capacity * 2 : 1024;
	struct place *larger;

	if (to->count == to->capacity) {
		larger = arena_take(to->arena, capacity * sizeof(*larger));
		if (to->count)
			memcpy(larger, to->places, to->count * sizeof(*larger));
		to->places = larger;
		to->capacity = capacity;
	}
	to->places[to->count++] = (struct place){to->text.length, token->at};
}

/* Blanks that the source does not have keep expanded tokens apart. */
static void put_token(struct preprocessed *to, const struct token *token, bool expanded)
{
	if (token->first)
		strbuf_char(&to->text, '\n');
	else if (token->space || token->expanded || expanded)
		strbuf_char(&to->text, ' ');
	put_place(to, token);
	strbuf_append(&to->text, token->text, token->length);
}

/* Copies the rest of a line, up to the next one, and ends it. Returns that next token; the line
 * includes `from`. */
static struct token *copy_line(struct state *state, struct token *from, struct token **line)
{
	struct token **end = line;

	for (; from->kind != TOKEN_END && !from->first; from = from->next) {
		*end = token_copy(state->to->arena, from);
		end = &(*end)->next;
	}
	*end = arena_take(state->to->arena, sizeof(**end));
	return from;
}

static void put_line(struct preprocessed *to, const char *start, const struct token *line)
{
	strbuf_string(&to->text, start);
	for (; line->kind != TOKEN_END; line = line->next)
		put_token(to, line, false);
	strbuf_char(&to->text, '\n');
}

static const char *read_file(struct state *state, const char *path, size_t *length)
{
	return inclusion_read(state->to->arena, &state->to->inclusions, path, length);
}

static const char *read_beside(struct state *state, const char *name, const char **path,
			       size_t *length)
{
	const char *slash = strrchr(state->file, '/');

	if (!slash)
		return NULL;
	*path = arena_print(state->to->arena, "%.*s%s", (int)(slash - state->file + 1), state->file,
			    name);
	return read_file(state, *path, length);
}

static const char *read_in_folders(struct state *state, const char *name, const char **path,
				   size_t *length)
{
	const char *const *folders = state->to->folders, *text = NULL;

	for (; !text && folders && *folders; folders++) {
		*path = arena_print(state->to->arena, "%s/%s", *folders, name);
		text = read_file(state, *path, length);
	}
	return text;
}

/* Finds an included file: beside the including one if the name is quoted, then in the folders and
 * in the working directory. Drivers search these in different orders: two different files are an
 * error. */
static const char *find_file(struct state *state, const struct token *token, const char *name,
			     bool quoted, const char **path, size_t *length)
{
	const char *text = NULL, *here;
	size_t size;

	*path = name;
	if (*name == '/')
		return read_file(state, name, length);
	if (quoted)
		text = read_beside(state, name, path, length);
	if (text)
		return text;
	text = read_in_folders(state, name, path, length);
	here = read_file(state, name, &size);
	if (text && here && (size != *length || memcmp(text, here, size)))
		fail(state, token,
		     arena_print(state->to->arena,
				 "the included file %s is another one in the working directory",
				 *path));
	if (text || !here)
		return text;
	*path = name;
	*length = size;
	return here;
}

static bool is_once(const struct state *state, const char *path)
{
	for (const struct once *once = state->once; once; once = once->next)
		if (!strcmp(once->file, path))
			return true;
	return false;
}

static void include_file(struct state *state, const struct token *token, const char *name,
			 bool quoted)
{
	const char *file = state->file, *path;
	struct branch *branch = state->branch;
	size_t length;
	const char *text = find_file(state, token, name, quoted, &path, &length);

	if (!text) {
		fail(state, token,
		     arena_print(state->to->arena, "cannot read the included file %s", name));
		return;
	}
	if (strpbrk(path, "\n\t")) {
		fail(state, token, "the name of an included file has a line break or a tab");
		return;
	}
	inclusion_use(state->to->inclusions, path);
	if (is_once(state, path))
		return;
	if (++state->depth > INCLUDES) {
		fail(state, token, "files include each other too deeply");
		return;
	}
	state->file = path;
	state->branch = NULL;
	run(state, token_read(state->to->arena, path, text, length));
	state->branch = branch;
	state->file = file;
	state->depth--;
}

static void do_include(struct state *state, const struct token *token, struct token *line)
{
	struct arena *arena = state->to->arena;
	char *name = arena_take(arena, 1);

	if (line->kind != TOKEN_STRING && !token_is(line, "<"))
		line = macro_expand_list(&state->to->macros, line, true);
	if (line->kind == TOKEN_STRING && line->length > 2) {
		name = arena_copy(arena, line->text + 1, line->length - 2);
		include_file(state, token, name, true);
	} else if (token_is(line, "<")) {
		for (line = line->next; line->kind != TOKEN_END && !token_is(line, ">");
		     line = line->next)
			name = arena_print(arena, "%s%.*s", name, (int)line->length, line->text);
		include_file(state, token, name, false);
	} else {
		fail(state, token, "#include without a file");
	}
}

static void do_pragma(struct state *state, const struct token *line)
{
	struct once *once;

	if (!token_is(line, "once")) {
		put_line(state->to, "\n#pragma ", line);
		return;
	}
	once = arena_take(state->to->arena, sizeof(*once));
	*once = (struct once){.next = state->once, .file = state->file};
	state->once = once;
}

static void do_undef(struct state *state, const struct token *line)
{
	const struct macro *macro = macro_find(&state->to->macros, line);

	if (!macro)
		return;
	if (macro->foreign)
		put_line(state->to, "\n#undef ", line);
	macro_undefine(&state->to->macros, line);
}

/* Directives of lines that are used. Returns false for one that is none of them. */
static bool do_plain(struct state *state, const struct token *name, struct token *line)
{
	if (token_is(name, "define")) {
		if (macro_define(&state->to->macros, line, false))
			fail(state, name, "#define defines nothing");
	} else if (token_is(name, "undef")) {
		do_undef(state, line);
	} else if (token_is(name, "include")) {
		do_include(state, name, line);
	} else if (token_is(name, "pragma")) {
		do_pragma(state, line);
	} else if (token_is(name, "error")) {
		fail(state, name, "#error");
	} else if (token_is(name, "line") || name->kind == TOKEN_NUMBER) {
		state->to->macros.renumbered = true;
	} else {
		return token_is(name, "warning") || token_is(name, "ident") ||
		       name->kind == TOKEN_END;
	}
	return true;
}

static bool evaluate(struct state *state, const struct token *name, const struct token *line)
{
	bool result = false;

	if (token_is(name, "ifdef") || token_is(name, "ifndef"))
		return !macro_ask(&state->to->macros, line) == token_is(name, "ifndef");
	if (condition_evaluate(&state->to->macros, line, &result))
		fail(state, name, "a condition cannot be evaluated");
	return result;
}

static void open_branch(struct state *state, const struct token *name, const struct token *line)
{
	struct branch *branch = arena_take(state->to->arena, sizeof(*branch));

	branch->outer = state->branch;
	branch->taken = !is_active(state);
	if (!branch->taken)
		branch->active = branch->taken = evaluate(state, name, line);
	state->branch = branch;
}

/* #elif, #else and #endif. Returns false for other directives. */
static bool do_branch(struct state *state, const struct token *name, const struct token *line)
{
	struct branch *branch = state->branch;
	bool otherwise = token_is(name, "else");

	if (!otherwise && !token_is(name, "elif") && !token_is(name, "endif"))
		return false;
	if (!branch || (branch->otherwise && !token_is(name, "endif"))) {
		fail(state, name, "#else, #elif or #endif without #if");
	} else if (token_is(name, "endif")) {
		state->branch = branch->outer;
	} else {
		branch->otherwise = otherwise;
		branch->active = !branch->taken && (otherwise || evaluate(state, name, line));
		branch->taken |= branch->active;
	}
	return true;
}

/* Executes the directive behind "#". Returns the first token of the next line. */
static struct token *do_directive(struct state *state, struct token *name)
{
	struct token *line, *next = name->first ? name : copy_line(state, name, &line);

	if (name->first)
		return next; /* "#" alone */
	name = line;
	line = name->next;
	if (token_is(name, "if") || token_is(name, "ifdef") || token_is(name, "ifndef"))
		open_branch(state, name, line);
	else if (!do_branch(state, name, line) && is_active(state) && !do_plain(state, name, line))
		fail(state, name, "unknown directive");
	return next;
}

static void run(struct state *state, struct token *token)
{
	struct macros *macros = &state->to->macros;
	bool expanded = false;

	while (token->kind != TOKEN_END && !state->to->error) {
		if (token->first && token_is(token, "#") && !token->expanded) {
			token = do_directive(state, token->next);
			continue;
		}
		if (is_active(state) && macro_expand(macros, &token, false))
			continue;
		if (macros->error)
			fail(state, token, macros->error);
		if (is_active(state))
			put_token(state->to, token, expanded);
		expanded = token->expanded;
		token = token->next;
	}
	if (macros->error)
		fail(state, token, macros->error);
	if (state->branch)
		fail(state, token, "#if without #endif");
}

int preprocess(struct preprocessed *to, const char *file, const char *source, size_t length)
{
	struct state state = {.to = to, .file = file};

	to->macros.arena = to->arena;
	run(&state, token_read(to->arena, file, source, length));
	strbuf_char(&to->text, '\n');
	if (to->text.failed)
		to->error = "no memory";
	return to->error ? -1 : 0;
}

struct origin preprocess_origin(const struct preprocessed *from, size_t offset)
{
	size_t low = 0, high = from->count, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (from->places[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return from->count ? from->places[low].at : (struct origin){.file = ""};
}

void preprocess_free(struct preprocessed *preprocessed)
{
	strbuf_free(&preprocessed->text);
}
