/* SPDX-License-Identifier: MIT */
/* In place of symbols.c in a build without libdw. */
#include "view/symbols/symbols.h"

int symbols_check(struct strbuf *why)
{
	strbuf_string(why, "this computeprof was built without libdw (libdw-dev)");
	return -1;
}

struct symbols *symbols_open(const struct symbols_file *file, struct strbuf *why)
{
	(void)file;
	symbols_check(why);
	return NULL;
}

void symbols_close(struct symbols *symbols)
{
	(void)symbols;
}

void symbols_describe(struct symbols *symbols, struct symbols_facts *facts)
{
	(void)symbols;
	*facts = (struct symbols_facts){0};
}

size_t symbols_find(struct symbols *symbols, uint64_t address, struct symbol *found, size_t room)
{
	(void)symbols;
	(void)address;
	(void)found;
	(void)room;
	return 0;
}
