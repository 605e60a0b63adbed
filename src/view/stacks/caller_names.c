/* SPDX-License-Identifier: MIT */
#include "view/stacks/caller_names.h"

#include <stdlib.h>

/* An entry of `known`. */
struct known {
	uint32_t stack;
	uint32_t name; /* in flame.names, 0: not known */
};

struct caller_names {
	struct output_callers output; /* first: caller_names_output */
	struct flame flame;
	struct stackframes *stacks;
	struct keyed known;
	bool mangled;
};

static const char *get(void *names, uint32_t stack, size_t *length)
{
	return caller_names_get(names, stack, length);
}

struct caller_names *caller_names_new(const struct catalog *catalog, bool mangled,
				      stackframes_tell *tell, void *context)
{
	struct caller_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->output = (struct output_callers){.name = get, .context = names};
	names->known = (struct keyed){.key_size = 4, .entry_size = sizeof(struct known)};
	names->mangled = mangled;
	if (!flame_open(&names->flame))
		names->stacks = stackframes_new(&names->flame, catalog, tell, context);
	if (names->stacks)
		return names;
	caller_names_free(names);
	return NULL;
}

void caller_names_free(struct caller_names *names)
{
	if (!names)
		return;
	stackframes_free(names->stacks);
	keyed_free(&names->known);
	flame_free(&names->flame);
	free(names);
}

/* Returns the id of the caller's name, 0 if it is not known. */
static uint32_t find(struct caller_names *names, uint32_t stack)
{
	bool mangled = flame_options.mangled;
	struct strbuf text = STRBUF_INIT;
	uint32_t id = 0;

	flame_options.mangled = names->mangled;
	stackframes_put_caller(names->stacks, stack, &text);
	flame_options.mangled = mangled;
	if (text.length && !text.failed)
		id = names_intern(names->flame.names, text.data, text.length);
	strbuf_free(&text);
	return id;
}

const char *caller_names_get(struct caller_names *names, uint32_t stack, size_t *length)
{
	uint32_t before = names->known.count;
	uint32_t number = stack ? keyed_get(&names->known, &stack) : KEYED_FULL, name;

	if (number == KEYED_FULL)
		return NULL;
	if (number == before) {
		name = find(names, stack);
		((struct known *)keyed_at(&names->known, number))->name = name;
	}
	name = ((struct known *)keyed_at(&names->known, number))->name;
	return name ? names_text(names->flame.names, name, length) : NULL;
}

const struct output_callers *caller_names_output(struct caller_names *names)
{
	return names ? &names->output : NULL;
}
