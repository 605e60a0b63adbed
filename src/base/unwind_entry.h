/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNWIND_ENTRY_H
#define BASE_UNWIND_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

/* Memory that may be read: the segment of an object that has its .eh_frame_hdr and .eh_frame. */
struct unwind_section {
	const uint8_t *begin;
	const uint8_t *end;
	const uint8_t *header; /* .eh_frame_hdr */
};

/* Takes numbers from untrusted bytes. After a read beyond the end all numbers are 0. */
struct unwind_reader {
	const uint8_t *at;
	const uint8_t *end;
	bool failed;
};

/* An FDE with its CIE: what the unwind table has for a function. */
struct unwind_entry {
	uintptr_t start;
	uint64_t size;
	uint64_t code_unit;
	int64_t data_unit;
	uint64_t return_register;
	uint8_t encoding;
	bool has_augmentation;
	bool signal;
	struct unwind_reader common; /* instructions of the CIE, then of the FDE */
	struct unwind_reader own;
};

uint64_t unwind_take(struct unwind_reader *reader, unsigned size);
uint64_t unwind_take_leb(struct unwind_reader *reader);
int64_t unwind_take_signed_leb(struct unwind_reader *reader);
/* Takes an address as the encoding (DW_EH_PE_*) says. */
uint64_t unwind_take_encoded(struct unwind_reader *reader, uint8_t encoding);
/* Returns a reader of the next `size` bytes, which are passed over. */
struct unwind_reader unwind_take_block(struct unwind_reader *reader, uint64_t size);

/* Finds the entry for the instruction at `pc`, by the binary search table of .eh_frame_hdr. Returns
 * false if there is none, or no valid one. */
bool unwind_entry_find(const struct unwind_section *section, uintptr_t pc,
		       struct unwind_entry *entry);

#endif
