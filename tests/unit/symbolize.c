/* SPDX-License-Identifier: MIT */
/*
 * symbolize FILE [BUILD-ID]: prints the functions at the addresses of the standard input as
 * addr2line -a -i -f does: the address, and a line with the function and one with FILE:LINE for
 * each function. On stderr the nanoseconds of opening and all searches. With another build id than
 * the file's it prints the reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "view/symbols/symbols.h"

enum { ROOM = 64 };

static void print(const struct symbol *symbol)
{
	printf("%s\n%s:", symbol->function ? symbol->function : "??",
	       symbol->file ? symbol->file : "??");
	if (symbol->line)
		printf("%u\n", symbol->line);
	else
		printf("%s\n", symbol->file ? "?" : "0");
}

static void find(struct symbols *symbols, uint64_t address, uint64_t *spent)
{
	struct symbol found[ROOM] = {{0}};
	uint64_t start = clock_monotonic();
	size_t count = symbols_find(symbols, address, found, ROOM);

	*spent += clock_monotonic() - start;
	printf("0x%016" PRIx64 "\n", address);
	for (size_t i = 0; i < (count ? count : 1); i++)
		print(&found[i]);
}

int main(int argc, char **argv)
{
	struct symbols_file file = {.before = UINT64_MAX};
	struct strbuf why = STRBUF_INIT;
	struct symbols *symbols;
	uint64_t spent = clock_monotonic();
	char line[64];

	if (argc < 2 || symbols_check(&why)) {
		strbuf_free(&why);
		return 2;
	}
	file.path = argv[1];
	if (argc > 2) {
		file.build_id = (const uint8_t *)argv[2];
		file.build_id_length = strlen(argv[2]);
	}
	symbols = symbols_open(&file, &why);
	if (!symbols) {
		printf("%s\n", strbuf_text(&why));
		strbuf_free(&why);
		return 1;
	}
	spent = clock_monotonic() - spent;
	while (fgets(line, sizeof(line), stdin))
		find(symbols, strtoull(line, NULL, 16), &spent);
	fprintf(stderr, "%" PRIu64 "\n", spent);
	symbols_close(symbols);
	strbuf_free(&why);
	return 0;
}
