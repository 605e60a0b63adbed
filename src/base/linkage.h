/* SPDX-License-Identifier: MIT */
#ifndef BASE_LINKAGE_H
#define BASE_LINKAGE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The dynamic symbol and relocation tables of a loaded object. They can be changed: the symbols
 * that the object exports, and the slots with the addresses of functions that it imports.
 */
struct linkage {
	uintptr_t base;
	const ElfW(Phdr) * headers;
	size_t header_count;
	ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *gnu_hash; /* one of these two is set */
	const uint32_t *hash;
	const ElfW(Rela) * tables[2];
	size_t sizes[2]; /* bytes */
	uintptr_t relro;
	size_t relro_size;
};

/* Reads the tables of an object of dl_iterate_phdr. Returns 0, or -1 for an object without them.
 * Valid while the object is loaded. */
int linkage_read(struct linkage *linkage, const struct dl_phdr_info *object);

/* Returns true if the address is in one of the object's segments. */
bool linkage_has(const struct linkage *linkage, uintptr_t address);

/* Returns true if the bytes occur in the object's read-only segments. */
bool linkage_mentions(const struct linkage *linkage, const void *bytes, size_t size);

/* Returns the symbol of the exported function `name`, or NULL. */
ElfW(Sym) * linkage_function(const struct linkage *linkage, const char *name);

/* Returns the address of that function. */
void *linkage_address(const struct linkage *linkage, const ElfW(Sym) * symbol);

/*
 * Makes some bytes of the object writable, and restores the protection. Returns 0, or -1 if the
 * system forbids it.
 */
int linkage_unlock(const struct linkage *linkage, const void *from, const void *to);
void linkage_lock(const struct linkage *linkage, const void *from, const void *to);

/* Redirects later lookups of the symbol to the function at `address`. The symbol must be
 * unlocked. */
void linkage_redirect(const struct linkage *linkage, ElfW(Sym) * symbol, const void *address);

/*
 * Calls `visit` with the name and value of each slot that holds, or will hold, a function's
 * address. A non-NULL result is written to the slot.
 */
void linkage_walk(const struct linkage *linkage,
		  void *(*visit)(const char *name, void *value, void *argument), void *argument);

#endif
