/* SPDX-License-Identifier: MIT */
#include "rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "rewrite/accessors.h"
#include "rewrite/cache_included.h"
#include "rewrite/compiler.h"
#include "rewrite/edit.h"
#include "rewrite/options.h"
#include "rewrite/unit.h"

#define PREFIX "computeprof_of_" /* of the names of changed copies */

static const char parameter[] = "computeprof_pointer computeprof_values";

/* Names are part of a comment of one line. */
static void put_name(struct strbuf *to, const char *name)
{
	for (; *name; name++)
		strbuf_char(to, (unsigned char)*name < ' ' || *name == '\\' ? '?' : *name);
}

static void put_place(struct strbuf *to, const struct origin *at)
{
	strbuf_printf(to, " %u %u ", at->line, at->column);
	put_name(to, at->file ? at->file : "");
}

static bool is_rewritten(const struct function *function)
{
	return function->kernel && function->used;
}

static void put_kernels(const struct unit *unit, enum sums sums, struct strbuf *to)
{
	unsigned local;

	for (const struct function *kernel = unit->functions; kernel; kernel = kernel->next) {
		if (!kernel->kernel || !kernel->defined)
			continue;
		local = counting_local(sums, kernel);
		strbuf_printf(to, "// %s %s", kernel->used ? "kernel" : "original", kernel->name);
		if (kernel->used)
			strbuf_printf(to, local ? " argument %u local %u" : " argument %u",
				      kernel->declarations->parameters, local);
		else if (kernel->obstacle)
			strbuf_printf(to, ": %s", kernel->obstacle);
		else
			strbuf_string(to, ": no loads or stores of global memory");
		strbuf_char(to, '\n');
	}
}

static void put_sites(const struct unit *unit, struct strbuf *to)
{
	for (const struct site *site = unit->sites; site; site = site->next) {
		if (!site->function->used)
			continue;
		strbuf_printf(to, "// site %u %s %s %u %s", site->index,
			      site->access == ACCESS_LOAD ? "load" : "store",
			      site->type ? "values" : "count", site->size, site->function->name);
		put_place(to, &site->at);
		strbuf_string(to, ": ");
		put_name(to, site->type_name);
		strbuf_char(to, '\n');
	}
}

static void put_uncounted_one(const struct function *function, const char *name,
			      const struct origin *at, struct strbuf *to)
{
	strbuf_printf(to, "// uncounted %s", function->name);
	put_place(to, at);
	strbuf_printf(to, ": %s\n", name);
}

static void put_uncounted(const struct unit *unit, struct strbuf *to)
{
	struct origin at;

	for (const struct function *function = unit->functions; function;
	     function = function->next) {
		if (!function->used)
			continue;
		for (const struct uncounted *one = function->uncounted; one; one = one->next)
			put_uncounted_one(function, one->name, &one->at, to);
		for (const struct call *call = function->calls; call; call = call->next) {
			at = preprocess_origin(unit->text, call->name_at);
			if (!call->callee->defined)
				put_uncounted_one(function, call->callee->name, &at, to);
		}
	}
}

static void put_included(const struct unit *unit, struct strbuf *to)
{
	for (const struct inclusion *at = unit->text->inclusions; at; at = at->next)
		if (at->is_included)
			strbuf_printf(to, "// included %s\n", at->path);
}

static void put_table(const struct unit *unit, const struct counting *counting, struct strbuf *to)
{
	strbuf_printf(to, "// computeprof-rewrite 2 sites %u stripes %u words %u sums %s\n",
		      unit->site_count, counting->stripes, COUNTING_WORDS,
		      counting_name(counting->sums));
	put_included(unit, to);
	put_kernels(unit, counting->sums, to);
	put_sites(unit, to);
	put_uncounted(unit, to);
}

/* Returns the integer constant that a macro's body is, or NULL. */
static const struct token *constant(const struct token *body)
{
	if (!body || body->kind != TOKEN_NUMBER || body->next->kind != TOKEN_END)
		return NULL;
	for (size_t i = 0; i < body->length; i++)
		if (!memchr("0123456789abcdefABCDEFxXuUlL", body->text[i], 28))
			return NULL;
	return body;
}

/* `as` is what a condition took it for. */
static void put_differs(const struct asked *asked, const char *as, size_t length, struct strbuf *to)
{
	strbuf_printf(to,
		      "#ifdef COMPUTEPROF_CONDITIONS\n"
		      "__kernel void computeprof_differs_%.*s(void) {}\n"
		      "#else\n"
		      "#error \"a condition of the source took %.*s as %.*s\"\n"
		      "#endif\n"
		      "#endif\n",
		      (int)asked->length, asked->name, (int)asked->length, asked->name, (int)length,
		      as);
}

/* The compiler of the result checks the decided conditions. */
static void put_asked(const struct macros *macros, struct strbuf *to)
{
	for (const struct asked *asked = macros->asked; asked; asked = asked->next) {
		const struct token *value = constant(asked->body);
		int length = (int)asked->length;

		if (!asked->defined) {
			strbuf_printf(to, "#ifdef %.*s\n", length, asked->name);
			put_differs(asked, "undefined", strlen("undefined"), to);
		} else if (!value) {
			strbuf_printf(to, "#ifndef %.*s\n", length, asked->name);
			put_differs(asked, "defined", strlen("defined"), to);
		} else {
			strbuf_printf(to, "#if !defined %.*s || %.*s != %.*s\n", length,
				      asked->name, length, asked->name, (int)value->length,
				      value->text);
			put_differs(asked, value->text, value->length, to);
		}
	}
}

static void edit_calls(struct unit *unit, struct function *function)
{
	for (const struct call *call = function->calls; call; call = call->next) {
		if (!call->callee->needs)
			continue;
		edit_before(unit, function, call->name_at, call->order, PREFIX);
		edit_behind(unit, function, call->close_at, call->order,
			    call->empty ? "computeprof_values" : ", computeprof_values");
	}
}

static const char *copied(struct unit *unit, struct strbuf *text)
{
	const char *copy = arena_copy(unit->arena, strbuf_text(text), text->length);

	strbuf_free(text);
	return copy;
}

/* Changes "return x;" to "do { x; end; return; } while (0);", and the end of the body. */
static void edit_leaves(struct unit *unit, struct function *kernel,
			const struct declaration *declaration, enum sums sums)
{
	struct strbuf text = STRBUF_INIT;
	const char *end;

	counting_put_end(kernel, sums, &text);
	end = copied(unit, &text);
	if (!*end)
		return;
	edit_before(unit, kernel, declaration->body_end, 0, end);
	for (const struct leave *leave = kernel->leaves; leave; leave = leave->next) {
		edit_replace(unit, kernel, leave->start, leave->start + strlen("return"), "do {");
		edit_behind(unit, kernel, leave->end, leave->order,
			    arena_print(unit->arena, "%s%s return; } while (0)",
					leave->empty ? "" : ";", end));
	}
}

static void edit_body(struct unit *unit, struct function *function,
		      const struct declaration *declaration, enum sums sums)
{
	struct strbuf text = STRBUF_INIT;

	if (function->kernel)
		counting_put_start(function, sums, &text);
	strbuf_string(&text, strbuf_text(&function->locals));
	edit_before(unit, function, declaration->body_at, 0, copied(unit, &text));
	if (function->kernel)
		edit_leaves(unit, function, declaration, sums);
}

static void edit_declaration(struct unit *unit, struct function *function,
			     const struct declaration *declaration, enum sums sums)
{
	const char *more = function->kernel ? counting_parameters(sums) : parameter;

	if (!function->kernel)
		edit_before(unit, function, declaration->name_at, 0, PREFIX);
	if (declaration->parameters)
		edit_behind(unit, function, declaration->close_at, 0,
			    arena_print(unit->arena, ", %s", more));
	else
		edit_replace(unit, function, declaration->open_at + 1, declaration->close_at, more);
	if (declaration->body_at)
		edit_body(unit, function, declaration, sums);
}

struct emitted {
	struct function *function;
	const struct declaration *declaration;
};

static int compare(const void *left, const void *right)
{
	const struct emitted *a = left, *b = right;

	return a->declaration->end < b->declaration->end
		       ? -1
		       : a->declaration->end > b->declaration->end;
}

/* Collects the declarations of all functions that are changed, in the order of the text. */
static struct emitted *collect(struct unit *unit, enum sums sums, size_t *count)
{
	struct emitted *list;
	size_t size = 0;

	for (struct function *function = unit->functions; function; function = function->next)
		for (struct declaration *at = function->declarations; at; at = at->next)
			size++;
	list = arena_take(unit->arena, (size + 1) * sizeof(*list));
	*count = 0;
	for (struct function *function = unit->functions; function; function = function->next) {
		if (!function->used || !function->needs)
			continue;
		edit_calls(unit, function);
		for (struct declaration *at = function->declarations; at; at = at->next) {
			edit_declaration(unit, function, at, sums);
			list[(*count)++] = (struct emitted){function, at};
		}
	}
	qsort(list, *count, sizeof(*list), compare);
	return list;
}

/* Kernels are changed; of other functions a changed copy follows them. */
static void put_text(struct unit *unit, const struct counting *counting, struct strbuf *to)
{
	struct strbuf *text = &unit->text->text;
	size_t count, at = 0;
	struct emitted *list = collect(unit, counting->sums, &count);
	const struct declaration *declaration;

	for (size_t i = 0; i < count; i++) {
		declaration = list[i].declaration;
		if (list[i].function->kernel) {
			strbuf_append(to, text->data + at, declaration->start - at);
			if (declaration->body_at)
				counting_put_kernel(unit, list[i].function, counting, to);
		} else {
			strbuf_append(to, text->data + at, declaration->end - at);
			strbuf_string(to, declaration->body_at ? "\n" : ";\n");
		}
		edit_apply(unit, list[i].function, declaration->start, declaration->end, to);
		at = declaration->end;
		if (!list[i].function->kernel && declaration->body_at)
			strbuf_char(to, '\n');
	}
	strbuf_append(to, text->data + at, text->length - at);
}

static void say(struct strbuf *messages, const struct origin *at, const char *what, const char *why)
{
	strbuf_printf(messages, "%s:%u:%u: %s: %s\n", at->file ? at->file : "", at->line,
		      at->column, what, why);
}

static unsigned say_originals(struct unit *unit, struct strbuf *messages)
{
	unsigned rewritten = 0;

	for (struct function *kernel = unit->functions; kernel; kernel = kernel->next) {
		rewritten += is_rewritten(kernel);
		if (!kernel->kernel || !kernel->defined || kernel->used)
			continue;
		say(messages, kernel->obstacle ? &kernel->obstacle_at : &kernel->at,
		    arena_print(unit->arena, "kernel %s is not rewritten", kernel->name),
		    kernel->obstacle ? kernel->obstacle : "no loads or stores of global memory");
	}
	return rewritten;
}

static unsigned rewrite_parsed(struct unit *unit, const struct rewrite_request *request,
			       struct strbuf *to, struct strbuf *messages)
{
	unsigned rewritten;
	struct counting counting = {.stripes = request->stripes};

	unit->file = clang_getFile(unit->parsed, COMPILER_FILE);
	unit_read(unit);
	unit_decide(unit);
	rewritten = say_originals(unit, messages);
	if (!rewritten && !messages->length)
		say(messages, &(struct origin){request->file, 1, 1}, "not rewritten", "no kernels");
	if (rewritten) {
		counting.slots = unit_place(unit);
		counting.sums = counting_choose(request->sums, counting.slots);
		put_table(unit, &counting, to);
		put_asked(&unit->text->macros, to);
		accessors_put_extensions(unit, to);
		counting_put(unit, &counting, to);
		accessors_put(unit, to);
		put_text(unit, &counting, to);
	}
	unit_free(unit);
	return rewritten;
}

static unsigned parse(struct unit *unit, const struct compiler *compiler,
		      const struct rewrite_request *request, struct strbuf *to,
		      struct strbuf *messages)
{
	unsigned offset, rewritten = 0;
	const char *error;
	struct origin at;

	unit->parsed = compiler_parse(compiler, &unit->text->text, &error, &offset);
	if (error) {
		at = preprocess_origin(unit->text, offset);
		say(messages, &at, "not rewritten", error);
	} else {
		rewritten = rewrite_parsed(unit, request, to, messages);
	}
	if (unit->parsed)
		clang_disposeTranslationUnit(unit->parsed);
	return rewritten;
}

static unsigned rewrite(struct preprocessed *text, const struct compiler *compiler,
			const struct rewrite_request *request, const char *source, size_t length,
			struct strbuf *to, struct strbuf *messages)
{
	struct unit unit = {.arena = text->arena, .text = text};
	struct origin start = {.file = request->file, .line = 1, .column = 1};

	text->macros.arena = text->arena;
	if (memmem(source, length, "computeprof_", 12)) {
		say(messages, &start, "not rewritten", "it has names that begin with computeprof_");
		return 0;
	}
	if (compiler_macros(compiler, &text->macros)) {
		say(messages, &start, "not rewritten", "libclang does not find its OpenCL header");
		return 0;
	}
	text->error_at = start;
	if (options_apply(text, request->extensions, request->options) ||
	    preprocess(text, request->file, source, length)) {
		say(messages, &text->error_at, "not rewritten", text->error);
		return 0;
	}
	return parse(&unit, compiler, request, to, messages);
}

unsigned rewrite_source(const struct rewrite_request *request, const char *source, size_t length,
			struct rewrite_result *to)
{
	struct arena arena = {0};
	struct preprocessed text = {.arena = &arena};
	struct compiler compiler;
	unsigned rewritten;

	compiler_open(&compiler, &arena, request->extensions, request->options);
	rewritten = rewrite(&text, &compiler, request, source, length, &to->text, &to->messages);
	if (!rewritten)
		strbuf_append(&to->text, source, length);
	cache_included_put(&to->included, text.inclusions);
	compiler_close(&compiler);
	preprocess_free(&text);
	arena_free(&arena);
	return rewritten;
}
