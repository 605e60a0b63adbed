/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_ELF_H
#define CLI_RUN_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * Reads from an executable what tells whether a library can be loaded into it. Nothing the file
 * claims is believed: every offset is checked and every loop is bounded.
 */
enum elf_kind {
	ELF_NONE,    /* not an ELF file */
	ELF_FOREIGN, /* for another word size, byte order or processor than the tool's */
	ELF_DAMAGED, /* or no program: an object file, a core */
	ELF_STATIC,  /* names no program interpreter: nothing can be preloaded */
	ELF_DYNAMIC,
};

struct elf {
	enum elf_kind kind;
	uint16_t machine;      /* EM_... */
	bool wide;	       /* 64-bit */
	char interpreter[256]; /* of a dynamic one */
	struct strbuf needed;  /* its DT_NEEDED names, one a line */
};

/* `elf` starts zeroed. The position of `file` is not changed. */
void elf_read(int file, struct elf *elf);
void elf_free(struct elf *elf);

/* Whether it names a needed library that begins so ("libOpenCL.so"). */
bool elf_needs(const struct elf *elf, const char *prefix);

#endif
