/* SPDX-License-Identifier: MIT */
/* Macros (C99 6.10.3), by the algorithm that the standard's authors published: each token has the
 * set of macros that it comes from. */
#include "rewrite/macro.h"

#include <string.h>

enum { DEPTH = 200 }; /* of macros in arguments of macros */

struct argument {
	struct argument *next;
	const struct token *name; /* of the parameter; NULL: __VA_ARGS__ */
	struct token *tokens, *expanded;
};

/* The first reason is kept. */
static void fail(struct macros *macros, const char *why)
{
	if (!macros->error)
		macros->error = why;
}

static size_t bucket(const char *name, size_t length)
{
	size_t hash = 5381;

	for (size_t i = 0; i < length; i++)
		hash = hash * 33 + (unsigned char)name[i];
	return hash % MACRO_BUCKETS;
}

static struct macro *find(const struct macros *macros, const struct token *name)
{
	struct macro *macro = macros->buckets[bucket(name->text, name->length)];

	while (macro &&
	       (macro->length != name->length || memcmp(macro->name, name->text, name->length)))
		macro = macro->next;
	return macro;
}

const struct macro *macro_find(const struct macros *macros, const struct token *name)
{
	const struct macro *macro = name->kind == TOKEN_WORD ? find(macros, name) : NULL;

	return macro && !macro->undefined ? macro : NULL;
}

static struct macro *take(struct macros *macros, const struct token *name)
{
	struct macro *macro = find(macros, name), **head;

	if (macro)
		return macro;
	macro = arena_take(macros->arena, sizeof(*macro));
	macro->name = name->text;
	macro->length = name->length;
	head = &macros->buckets[bucket(name->text, name->length)];
	macro->next = *head;
	*head = macro;
	return macro;
}

static void keep_asked(struct macros *macros, const struct token *name, const struct macro *macro)
{
	struct asked *asked = arena_take(macros->arena, sizeof(*asked));

	*asked = (struct asked){
		.next = macros->asked,
		.name = name->text,
		.length = name->length,
		.defined = macro != NULL,
		.body = macro && !macro->function ? macro->body : NULL,
	};
	macros->asked = asked;
}

bool macro_ask(struct macros *macros, const struct token *name)
{
	struct macro *macro;

	if (name->kind != TOKEN_WORD)
		return false;
	macro = find(macros, name);
	if (!macro) {
		macro = take(macros, name);
		macro->undefined = true;
		keep_asked(macros, name, NULL);
	} else if (macro->foreign && !macro->undefined && !macro->asked) {
		macro->asked = true;
		keep_asked(macros, name, macro);
	}
	return !macro->undefined;
}

static struct token *end_token(struct macros *macros)
{
	return arena_take(macros->arena, sizeof(struct token));
}

/* Reads the parameters behind "(". Returns the token behind ")", or NULL. */
static const struct token *read_parameters(struct macros *macros, struct macro *macro,
					   const struct token *token)
{
	struct token *first = end_token(macros), **end = &first;

	while (!token_is(token, ")")) {
		if (end != &first) {
			if (!token_is(token, ","))
				return NULL;
			token = token->next;
		}
		if (token_is(token, "...")) {
			macro->variadic = true;
			token = token->next;
			break;
		}
		if (token->kind != TOKEN_WORD)
			return NULL;
		*end = token_copy(macros->arena, token);
		end = &(*end)->next;
		*end = end_token(macros);
		token = token->next;
	}
	macro->parameters = first;
	return token_is(token, ")") ? token->next : NULL;
}

int macro_define(struct macros *macros, const struct token *tokens, bool foreign)
{
	const struct token *name = tokens, *body;
	struct macro *macro, read = {.foreign = foreign};

	if (name->kind != TOKEN_WORD)
		return -1;
	body = name->next;
	if (token_is(body, "(") && !body->space) {
		read.function = true;
		body = read_parameters(macros, &read, body->next);
	}
	if (!body)
		return -1;
	read.body = body;
	macro = take(macros, name);
	read.next = macro->next;
	read.name = macro->name;
	read.length = macro->length;
	*macro = read;
	return 0;
}

void macro_undefine(struct macros *macros, const struct token *name)
{
	struct macro *macro = find(macros, name);

	if (macro)
		macro->undefined = true;
}

static bool is_hidden(const struct hidden *hidden, const char *name, size_t length)
{
	for (; hidden; hidden = hidden->next)
		if (hidden->length == length && !memcmp(hidden->name, name, length))
			return true;
	return false;
}

static const struct hidden *hide(struct macros *macros, const struct hidden *set, const char *name,
				 size_t length)
{
	struct hidden *entry;

	if (is_hidden(set, name, length))
		return set;
	entry = arena_take(macros->arena, sizeof(*entry));
	*entry = (struct hidden){.next = set, .name = name, .length = length};
	return entry;
}

static const struct hidden *either(struct macros *macros, const struct hidden *a,
				   const struct hidden *b)
{
	for (; a; a = a->next)
		b = hide(macros, b, a->name, a->length);
	return b;
}

static const struct hidden *both(struct macros *macros, const struct hidden *a,
				 const struct hidden *b)
{
	const struct hidden *result = NULL;

	for (; a; a = a->next)
		if (is_hidden(b, a->name, a->length))
			result = hide(macros, result, a->name, a->length);
	return result;
}

/* Reads one argument up to "," or ")". Returns that token, or NULL at the end of the text. */
static struct token *read_argument(struct macros *macros, struct token *token, bool rest,
				   struct argument *argument)
{
	struct token **end = &argument->tokens;
	unsigned depth = 0;

	while (depth || !(token_is(token, ")") || (!rest && token_is(token, ",")))) {
		if (token->kind == TOKEN_END)
			return NULL;
		depth += token_is(token, "(");
		depth -= token_is(token, ")");
		*end = token_copy(macros->arena, token);
		(*end)->space |= (*end)->first;
		(*end)->first = false;
		end = &(*end)->next;
		token = token->next;
	}
	*end = end_token(macros);
	return token;
}

/* Reads the arguments behind "(". Returns the token ")", or NULL. */
static struct token *read_arguments(struct macros *macros, const struct macro *macro,
				    struct token *token, struct argument **first)
{
	const struct token *parameter = macro->parameters;
	struct argument **end = first;
	bool named;

	while (parameter->kind != TOKEN_END || macro->variadic) {
		named = parameter->kind != TOKEN_END;
		*end = arena_take(macros->arena, sizeof(**end));
		(*end)->name = named ? parameter : NULL;
		if (end != first && token_is(token, ","))
			token = token->next;
		else if (end != first && named)
			return NULL;
		token = read_argument(macros, token, !named, *end);
		if (!token || !named)
			return token;
		end = &(*end)->next;
		parameter = parameter->next;
	}
	return token_is(token, ")") ? token : NULL;
}

static struct argument *find_argument(struct argument *arguments, const struct token *token)
{
	for (; arguments; arguments = arguments->next)
		if (arguments->name
			    ? arguments->name->length == token->length &&
				      !memcmp(arguments->name->text, token->text, token->length)
			    : token_is(token, "__VA_ARGS__"))
			return arguments;
	return NULL;
}

static size_t put_escaped(char *to, const struct token *token)
{
	size_t length = 0;

	for (size_t i = 0; i < token->length; i++) {
		if (token->kind == TOKEN_STRING && strchr("\"\\", token->text[i]))
			to[length++] = '\\';
		to[length++] = token->text[i];
	}
	return length;
}

static struct token *stringize(struct macros *macros, const struct token *at,
			       const struct token *list)
{
	struct token *result = token_copy(macros->arena, at);
	size_t size = 3, length = 1;
	char *text;

	for (const struct token *token = list; token->kind != TOKEN_END; token = token->next)
		size += 2 * token->length + 1;
	text = arena_take(macros->arena, size);
	text[0] = '"';
	for (const struct token *token = list; token->kind != TOKEN_END; token = token->next) {
		if (token != list && token->space)
			text[length++] = ' ';
		length += put_escaped(text + length, token);
	}
	text[length++] = '"';
	result->text = text;
	result->length = length;
	result->kind = TOKEN_STRING;
	return result;
}

/* Appends copies of a list, without its end. Returns the new end. */
static struct token **append(struct macros *macros, struct token **end, const struct token *list,
			     bool space)
{
	for (const struct token *token = list; token->kind != TOKEN_END; token = token->next) {
		*end = token_copy(macros->arena, token);
		if (token == list)
			(*end)->space = space;
		end = &(*end)->next;
	}
	return end;
}

/* Makes one token of two: `left` is replaced. */
static void paste(struct macros *macros, struct token *left, const struct token *right)
{
	char *text = arena_take(macros->arena, left->length + right->length + 1);
	const struct token *read;

	memcpy(text, left->text, left->length);
	memcpy(text + left->length, right->text, right->length);
	read = token_read(macros->arena, left->at.file, text, left->length + right->length);
	if (read->next && read->next->kind != TOKEN_END)
		fail(macros, "## does not make one token");
	left->text = read->text;
	left->length = read->length;
	left->kind = read->kind;
}

/* The copy of a macro's body that is being made. */
struct copying {
	struct macros *macros;
	struct argument *arguments;
	struct token *first, **end;
	struct token *last; /* the last one, or NULL if what "##" would take is empty */
	bool all;	    /* foreign macros of arguments are expanded, too */
};

static void add(struct copying *copying, const struct token *list, bool space)
{
	struct token **end = append(copying->macros, copying->end, list, space);

	copying->last = NULL;
	for (struct token *token = *copying->end; end != copying->end; token = token->next) {
		copying->last = token;
		copying->end = &token->next;
	}
}

static void add_pasted(struct copying *copying, const struct token *token)
{
	struct argument *argument = find_argument(copying->arguments, token);
	struct token *single = token_copy(copying->macros->arena, token);
	const struct token *list = argument ? argument->tokens : single;

	single->next = end_token(copying->macros);
	if (list->kind == TOKEN_END)
		return;
	if (!copying->last) {
		add(copying, list, token->space);
		return;
	}
	paste(copying->macros, copying->last, list);
	if (list->next->kind != TOKEN_END)
		add(copying, list->next, list->next->space);
}

static void add_plain(struct copying *copying, const struct token *token)
{
	struct argument *argument = find_argument(copying->arguments, token);
	struct token *single = token_copy(copying->macros->arena, token);
	bool pasted = token_is(token->next, "##");

	single->next = end_token(copying->macros);
	if (argument && !pasted && !argument->expanded)
		argument->expanded =
			macro_expand_list(copying->macros, argument->tokens, copying->all);
	add(copying,
	    !argument ? single
	    : pasted  ? argument->tokens
		      : argument->expanded,
	    token->space);
}

static struct token *substitute(struct macros *macros, const struct macro *macro,
				struct argument *arguments, bool all)
{
	struct copying copying = {.macros = macros, .arguments = arguments, .all = all};
	struct token *string;

	copying.end = &copying.first;
	for (const struct token *token = macro->body; token->kind != TOKEN_END;
	     token = token->next) {
		if (token_is(token, "#") && macro->function &&
		    find_argument(arguments, token->next)) {
			string = stringize(macros, token,
					   find_argument(arguments, token->next)->tokens);
			string->next = end_token(macros);
			add(&copying, string, token->space);
			token = token->next;
		} else if (token_is(token, "##") && token != macro->body &&
			   token->next->kind != TOKEN_END) {
			token = token->next;
			add_pasted(&copying, token);
		} else {
			add_plain(&copying, token);
		}
	}
	*copying.end = end_token(macros);
	return copying.first;
}

/* Puts the expansion in the place of the tokens from `from` up to `behind`. */
static void put(struct macros *macros, struct token **place, struct token *list,
		const struct hidden *hidden, struct token *behind)
{
	const struct token *from = *place;
	struct token **end = &list;
	bool start = true;

	for (; (*end)->kind != TOKEN_END; end = &(*end)->next) {
		(*end)->hidden = either(macros, hidden, (*end)->hidden);
		(*end)->at = from->at;
		(*end)->expanded = true;
		(*end)->first = start && from->first;
		start = false;
	}
	if (start)
		behind->space = true;
	*end = behind;
	*place = list;
}

static bool expand_special(struct macros *macros, struct token **token)
{
	const struct token *from = *token;
	struct token *copy;

	if (!token_is(from, "__LINE__") && !token_is(from, "__FILE__"))
		return false;
	if (macros->renumbered)
		fail(macros, "__LINE__ or __FILE__ behind #line");
	copy = token_copy(macros->arena, from);
	copy->expanded = true;
	copy->next = from->next;
	copy->kind = token_is(from, "__LINE__") ? TOKEN_NUMBER : TOKEN_STRING;
	copy->text = copy->kind == TOKEN_NUMBER
			     ? arena_print(macros->arena, "%u", from->at.line)
			     : arena_print(macros->arena, "\"%s\"", from->at.file);
	copy->length = strlen(copy->text);
	*token = copy;
	return true;
}

bool macro_expand(struct macros *macros, struct token **token, bool all)
{
	struct token *from = *token, *close = NULL, *behind = from->next;
	const struct macro *macro = macro_find(macros, from);
	const struct hidden *hidden = from->hidden;
	struct argument *arguments = NULL;

	if (from->kind != TOKEN_WORD || is_hidden(hidden, from->text, from->length))
		return false;
	if (expand_special(macros, token))
		return true;
	if (!macro || (macro->foreign && !all) || (macro->function && !token_is(behind, "(")))
		return false;
	if (macro->function) {
		close = read_arguments(macros, macro, behind->next, &arguments);
		if (!close) {
			fail(macros, arena_print(macros->arena, "wrong arguments of macro %.*s",
						 (int)macro->length, macro->name));
			return false;
		}
		hidden = both(macros, hidden, close->hidden);
		behind = close->next;
	}
	hidden = hide(macros, hidden, macro->name, macro->length);
	put(macros, token, substitute(macros, macro, arguments, all), hidden, behind);
	return true;
}

struct token *macro_expand_list(struct macros *macros, struct token *list, bool all)
{
	struct token *first = NULL, **end = &first, *token = list;

	if (macros->depth++ > DEPTH)
		fail(macros, "macros are nested too deeply");
	while (token->kind != TOKEN_END && !macros->error) {
		if (macro_expand(macros, &token, all))
			continue;
		*end = token_copy(macros->arena, token);
		end = &(*end)->next;
		token = token->next;
	}
	macros->depth--;
	*end = end_token(macros);
	return first;
}
