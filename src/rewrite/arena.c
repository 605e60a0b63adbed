/* SPDX-License-Identifier: MIT */
#include "rewrite/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BLOCK = 65536,
	ALIGNMENT = 16,
	LIMIT = 512 << 20, /* macros can make a text of any size */
};

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(ALIGNMENT) char bytes[];
};

static _Noreturn void no_memory(void)
{
	fprintf(stderr, "computeprof-rewrite: not rewritten: it takes too much memory\n");
	exit(ARENA_EXIT);
}

static struct arena_block *add_block(struct arena *arena, size_t size)
{
	size_t wanted = size > BLOCK ? size : BLOCK;
	struct arena_block *block = NULL;

	if (wanted <= LIMIT - arena->size)
		block = calloc(1, sizeof(*block) + wanted);
	if (!block)
		no_memory();
	arena->size += wanted;
	block->size = wanted;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *arena_take(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->blocks;
	void *result;

	if (size > (size_t)PTRDIFF_MAX / 2)
		no_memory();
	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (!block || size > block->size - block->used)
		block = add_block(arena, size);
	result = block->bytes + block->used;
	block->used += size;
	return result;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length)
{
	char *result = arena_take(arena, length + 1);

	if (length)
		memcpy(result, bytes, length);
	return result;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	char *text, *result;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		no_memory();
	result = arena_copy(arena, text, (size_t)length);
	free(text);
	return result;
}

void arena_free(struct arena *arena)
{
	struct arena_block *block = arena->blocks, *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
	*arena = (struct arena){0};
}
