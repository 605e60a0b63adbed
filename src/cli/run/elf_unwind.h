/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_ELF_UNWIND_H
#define CLI_RUN_ELF_UNWIND_H

#include <stdbool.h>

/*
 * What a walker of call stacks finds in an ELF file: unwind tables (.eh_frame) and frame pointers.
 * The contents of the file are not trusted: every offset is checked and every loop is bounded.
 */
struct elf_unwind {
	unsigned percent; /* of the code that has unwind tables */
	bool frame_pointers; /* functions seem to set the frame pointer */
	bool knows_frame_pointers; /* code of this processor can be searched for them */
};

/* Returns 0, or -1 if the file cannot be read, or its tables have a form that is not known. */
int elf_unwind_read(int file, struct elf_unwind *facts);

#endif
