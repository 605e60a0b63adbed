/* SPDX-License-Identifier: MIT */
#include "view/stacks/stackframes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/caller.h"
#include "output/escape.h"
#include "view/format/demangle.h"
#include "view/symbols/perfmap.h"
#include "view/symbols/symbols.h"

enum {
	INLINED = 64,	/* functions at one address, at most */
	DEEPEST = 1024, /* callers of a frame, at most: what is deeper is cut off */
};

/* What is known of a module; an entry of `modules`. */
struct module {
	uint32_t id;
	uint32_t ready;
	struct symbols *symbols; /* NULL: no functions are known */
};

/* An entry of `known`. */
struct known {
	uint32_t stack;
	uint32_t depth; /* 1 for the outermost node; 0: it is new */
	uint32_t frame; /* 1 + number of the innermost frame; 0 if all are the profiler's */
};

struct stackframes {
	struct flame *flame;
	const struct catalog *catalog;
	stackframes_tell *tell;
	void *context;
	struct keyed modules, known;
	struct perf_map *map;
	bool map_tried;
	bool told;	    /* that functions have no names */
	struct strbuf text; /* of one frame */
	uint32_t chain[STACK_NODES];
};

struct stackframes *stackframes_new(struct flame *flame, const struct catalog *catalog,
				    stackframes_tell *tell, void *context)
{
	struct stackframes *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->flame = flame;
	stacks->catalog = catalog;
	stacks->tell = tell;
	stacks->context = context;
	stacks->modules = (struct keyed){.key_size = 4, .entry_size = sizeof(struct module)};
	stacks->known = (struct keyed){.key_size = 4, .entry_size = sizeof(struct known)};
	return stacks;
}

void stackframes_free(struct stackframes *stacks)
{
	if (!stacks)
		return;
	for (uint32_t i = 0; i < stacks->modules.count; i++)
		symbols_close(((struct module *)keyed_at(&stacks->modules, i))->symbols);
	keyed_free(&stacks->modules);
	keyed_free(&stacks->known);
	perf_map_close(stacks->map);
	strbuf_free(&stacks->text);
	free(stacks);
}

static uint64_t started(const struct stackframes *stacks)
{
	const struct process *process = &stacks->catalog->process;

	return process->started + (uint64_t)process->monotonic_to_epoch;
}

static const char *module_name(const struct stackframes *stacks, const struct stack_node *node)
{
	const struct stack_module *module = stacks_module(&stacks->catalog->stacks, node->module);

	return module ? caller_file(module->path) : "";
}

static bool is_own(const struct stackframes *stacks, const struct stack_node *node)
{
	return caller_is_profiler(stacks_module(&stacks->catalog->stacks, node->module));
}

static bool is_driver(const struct stackframes *stacks, const struct stack_node *node)
{
	return caller_is_driver(stacks_module(&stacks->catalog->stacks, node->module));
}

/* Reports the reason once. */
static bool can_name(struct stackframes *stacks)
{
	struct strbuf text = STRBUF_INIT;
	bool can;

	strbuf_string(&text, "functions have no names: ");
	can = !symbols_check(&text);
	if (!can && !stacks->told)
		stacks->tell(stacks->context, strbuf_text(&text));
	stacks->told = true;
	strbuf_free(&text);
	return can;
}

static struct symbols *open_module(struct stackframes *stacks, const struct stack_module *module)
{
	struct symbols_file file = {
		.path = module->path,
		.build_id = module->build_id,
		.build_id_length = module->build_id_length,
		.before = started(stacks),
	};
	struct strbuf why = STRBUF_INIT, text = STRBUF_INIT;
	struct symbols *symbols;

	if (!can_name(stacks) || module->path[0] != '/')
		return NULL;
	symbols = symbols_open(&file, &why);
	if (!symbols && why.length) {
		strbuf_printf(&text, "%s: %s: its functions have no names", module->path,
			      strbuf_text(&why));
		stacks->tell(stacks->context, strbuf_text(&text));
	}
	strbuf_free(&text);
	strbuf_free(&why);
	return symbols;
}

/* Returns NULL if there are no symbols. */
static struct symbols *symbols_of(struct stackframes *stacks, uint32_t id)
{
	uint32_t number = keyed_get(&stacks->modules, &id);
	struct module *module;

	if (number == KEYED_FULL)
		return NULL;
	module = keyed_at(&stacks->modules, number);
	if (!module->ready) {
		module->ready = 1;
		module->symbols = open_module(stacks, stacks_module(&stacks->catalog->stacks, id));
	}
	return module->symbols;
}

static struct strbuf *empty_text(struct stackframes *stacks)
{
	stacks->text.length = 0;
	stacks->text.failed = false;
	return &stacks->text;
}

static uint32_t add_function(struct stackframes *stacks, uint32_t parent, const char *name,
			     const char *file, uint32_t line)
{
	struct strbuf *text = empty_text(stacks);

	if (flame_options.mangled || !demangle(text, name, strlen(name), false))
		strbuf_string(text, name);
	return flame_add_frame(stacks->flame, parent, text->data, text->length, file, line);
}

/* A function that is not known is named after its module. Several in a row are one frame. */
static uint32_t add_bracketed(struct stackframes *stacks, uint32_t parent, const char *name)
{
	struct flame *flame = stacks->flame;
	struct strbuf *text = empty_text(stacks);
	uint32_t frame, caller;

	strbuf_printf(text, *name == '[' ? "%s" : "[%s]", name);
	frame = flame_add_frame(flame, parent, text->data, text->length, NULL, 0);
	caller = parent && frame ? flame_frame(flame, parent - 1)->name : 0;
	return caller && caller == flame_frame(flame, frame - 1)->name ? parent : frame;
}

/* Adds the functions at an address of a module, outer ones first. */
static uint32_t add_address(struct stackframes *stacks, uint32_t parent,
			    const struct stack_node *node)
{
	struct symbols *symbols = symbols_of(stacks, node->module);
	uint64_t address = node->offset - (node->exact ? 0 : 1);
	struct symbol found[INLINED];
	size_t count = symbols ? symbols_find(symbols, address, found, INLINED) : 0;

	if (!count || !found[count - 1].function)
		return add_bracketed(stacks, parent, module_name(stacks, node));
	while (count--) {
		const struct symbol *symbol = &found[count];

		parent = add_function(stacks, parent, symbol->function ? symbol->function : "??",
				      symbol->file, symbol->line);
		if (!parent)
			break;
	}
	return parent;
}

/* A function of an interpreter: "name (file:line)"; or frames that are not known: "[python]" or
 * "[truncated]"; or "[graph node]". */
static uint32_t add_interpreted(struct stackframes *stacks, uint32_t parent,
				const struct stack_node *node)
{
	const char *file = names_text(stacks->catalog->names, (uint32_t)(node->offset >> 32), NULL);
	const char *name = names_text(stacks->catalog->names, node->name, NULL);
	uint32_t line = (uint32_t)node->offset;
	struct strbuf *text = empty_text(stacks);

	if (!node->offset && *name == '[')
		return add_bracketed(stacks, parent, name);
	strbuf_printf(text, "%s (%s:%u)", name, *file ? caller_file(file) : "?", line);
	return flame_add_frame(stacks->flame, parent, text->data, text->length, *file ? file : NULL,
			       line);
}

/* Code in no file: compiled while the program ran. */
static uint32_t add_mapped(struct stackframes *stacks, uint32_t parent, uint64_t address)
{
	const char *name = NULL;
	char path[64];

	if (!stacks->map_tried) {
		snprintf(path, sizeof(path), "/tmp/perf-%u.map", stacks->catalog->process.pid);
		stacks->map = perf_map_open(path, started(stacks));
		stacks->map_tried = true;
	}
	if (stacks->map)
		name = perf_map_find(stacks->map, address);
	return name ? add_function(stacks, parent, name, NULL, 0)
		    : add_bracketed(stacks, parent, "unknown");
}

/* Returns 1 + the number of the frame, 0 without memory. */
static uint32_t add_node(struct stackframes *stacks, uint32_t parent, const struct stack_node *node)
{
	uint32_t frame;

	if (node->name)
		frame = add_interpreted(stacks, parent, node);
	else if (node->module)
		frame = add_address(stacks, parent, node);
	else
		frame = add_mapped(stacks, parent, node->offset - (node->exact ? 0 : 1));
	if (node->module)
		flame_set_place(stacks->flame, frame, parent, node->module,
				node->offset - (node->exact ? 0 : 1));
	if (caller_is_program(stacks->catalog, node))
		flame_set_own(stacks->flame, frame, parent);
	return frame;
}

/* Returns the entry of `known` of a stack, or NULL without memory. */
static struct known *known_of(struct stackframes *stacks, uint32_t stack)
{
	uint32_t number = keyed_get(&stacks->known, &stack);

	return number == KEYED_FULL ? NULL : keyed_at(&stacks->known, number);
}

/* Sets the frame of a stack whose caller's is `parent`. The profiler has no frames. */
static int find_frame(struct stackframes *stacks, uint32_t stack, const struct known *parent)
{
	const struct stack_node *node = stacks_node(&stacks->catalog->stacks, stack);
	struct known found = {.stack = stack, .depth = parent->depth + 1, .frame = parent->frame};
	struct known *known;

	if (found.depth > DEEPEST + 1)
		found.depth = DEEPEST + 1;
	else if (found.depth > DEEPEST)
		found.frame = add_bracketed(stacks, parent->frame, "truncated");
	else if (!is_own(stacks, node))
		found.frame = add_node(stacks, parent->frame, node);
	known = found.frame || is_own(stacks, node) ? known_of(stacks, stack) : NULL;
	if (!known)
		return -1;
	*known = found;
	return 0;
}

/* Puts 1 + the number of the innermost frame that is not the profiler's, or 0, to `frame`. Returns
 * -1 without memory. */
static int frame_of(struct stackframes *stacks, uint32_t stack, uint32_t *frame)
{
	struct known at = {0}, *known;
	uint32_t count = 0;

	for (; stack; stack = stacks_node(&stacks->catalog->stacks, stack)->parent) {
		known = known_of(stacks, stack);
		if (!known)
			return -1;
		at = *known;
		if (at.depth)
			break;
		stacks->chain[count++] = stack;
	}
	while (count--) {
		if (find_frame(stacks, stacks->chain[count], &at))
			return -1;
		at = *known_of(stacks, stacks->chain[count]);
	}
	*frame = at.frame;
	return 0;
}

uint32_t stackframes_of_call(struct stackframes *stacks, uint32_t stack)
{
	const struct stacks *table = &stacks->catalog->stacks;
	const struct stack_node *node = stacks_node(table, stack), *parent;
	uint32_t frame;

	while (node && is_own(stacks, node)) {
		stack = node->parent;
		node = stacks_node(table, stack);
	}
	if (!node)
		return add_bracketed(stacks, 0, "unknown");
	while (is_driver(stacks, node) && (parent = stacks_node(table, node->parent)) &&
	       is_driver(stacks, parent)) {
		stack = node->parent;
		node = parent;
	}
	return frame_of(stacks, stack, &frame) ? 0 : frame;
}

uint32_t stackframes_of_sample(struct stackframes *stacks, uint32_t stack)
{
	const struct stack_node *node = stacks_node(&stacks->catalog->stacks, stack);
	uint32_t frame;

	if (!node)
		return add_bracketed(stacks, 0, "unknown");
	if (frame_of(stacks, stack, &frame))
		return 0;
	return is_own(stacks, node) ? add_bracketed(stacks, frame, "computeprof") : frame;
}

/* Returns true if the frame of a node has no function. */
static bool has_no_name(struct stackframes *stacks, uint32_t frame)
{
	size_t length;
	const char *name = names_text(stacks->flame->names,
				      flame_frame(stacks->flame, frame - 1)->name, &length);

	return !length || *name == '[';
}

int stackframes_put_caller(struct stackframes *stacks, uint32_t stack, struct strbuf *to)
{
	const struct stack_node *node = caller_find(stacks->catalog, stack);
	char text[CALLER_SIZE];
	uint32_t frame;
	size_t length;

	if (!node)
		return 0;
	frame = add_node(stacks, 0, node);
	if (!frame)
		return -1;
	if (has_no_name(stacks, frame)) {
		length = caller_text(stacks->catalog, node, text);
		escape_put(to, text, length, ESCAPE_SHOWN);
	} else {
		strbuf_string(to, names_text(stacks->flame->names,
					     flame_frame(stacks->flame, frame - 1)->name, NULL));
	}
	return 0;
}
