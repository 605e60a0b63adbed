/* SPDX-License-Identifier: MIT */
/* ELF files as the compiler has made them of small.c. */
#include <stdio.h>
#include <stdlib.h>

#include "seeds.h"

enum { LARGEST = 1 << 16 };

void seed_objects(const struct taker *taker)
{
	static const char *const names[] = {"small.o", "small.so"};
	const char *folder = getenv("builddir");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		static char bytes[LARGEST];
		char path[4096];
		FILE *file;

		snprintf(path, sizeof(path), "%s/tests/fuzz/%s", folder ? folder : ".", names[i]);
		file = fopen(path, "r");
		if (!file) {
			perror(path);
			exit(2);
		}
		taker->take(taker->argument, names[i], bytes, fread(bytes, 1, LARGEST, file));
		fclose(file);
	}
}
