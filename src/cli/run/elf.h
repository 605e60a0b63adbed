/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_ELF_H
#define CLI_RUN_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * Reads from an executable whether a library can be preloaded into it, and the name of a shared
 * library. The contents of the file are
 * not trusted: every offset is checked and every loop is bounded.
 */
enum elf_kind {
	ELF_NONE,    /* not an ELF file */
	ELF_FOREIGN, /* word size, byte order or processor differs from the tool's */
	ELF_DAMAGED, /* or not a program: an object file, a core */
	ELF_STATIC,  /* has no program interpreter: nothing can be preloaded, or it is a library */
	ELF_DYNAMIC,
};

struct elf {
	enum elf_kind kind;
	uint16_t machine;      /* EM_... */
	bool wide;	       /* 64-bit */
	char interpreter[256]; /* of a dynamic executable */
	char name[64];	       /* of a shared library (DT_SONAME); "" if it has none */
	struct strbuf needed;  /* DT_NEEDED names of a dynamic executable, one per line */
};

/* Reads the file into `elf`, which starts zeroed. The file position is not changed. */
void elf_read(int file, struct elf *elf);
void elf_free(struct elf *elf);

/* Returns true if a needed library's name starts with `prefix` ("libOpenCL.so"). */
bool elf_needs(const struct elf *elf, const char *prefix);

#endif
