/* SPDX-License-Identifier: MIT */
#ifndef BASE_LINKAGE_H
#define BASE_LINKAGE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The tables of a loaded object by which the dynamic linker binds names, and how to change them:
 * the symbols that it offers to others, and the slots that hold the addresses of those it uses.
 */
struct linkage {
	uintptr_t base;
	const ElfW(Phdr) * headers;
	size_t header_count;
	ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *gnu_hash; /* one of these two */
	const uint32_t *hash;
	const ElfW(Rela) * tables[2];
	size_t sizes[2]; /* bytes */
	uintptr_t relro;
	size_t relro_size;
};

/* From what dl_iterate_phdr gives. 0, or -1 for an object without such tables. Valid as long as the
 * object is loaded. */
int linkage_read(struct linkage *linkage, const struct dl_phdr_info *object);

/* Whether an address is in one of the object's segments. */
bool linkage_has(const struct linkage *linkage, uintptr_t address);

/* Whether the bytes are somewhere in what the object has read-only. */
bool linkage_mentions(const struct linkage *linkage, const void *bytes, size_t size);

/* The symbol by which the object offers a function of this name, or NULL. */
ElfW(Sym) * linkage_function(const struct linkage *linkage, const char *name);

/* Where that function is. */
void *linkage_address(const struct linkage *linkage, const ElfW(Sym) * symbol);

/*
 * Makes the memory of some bytes of the object writable, and back to what it was. 0, or -1 if the
 * system forbids it.
 */
int linkage_unlock(const struct linkage *linkage, const void *from, const void *to);
void linkage_lock(const struct linkage *linkage, const void *from, const void *to);

/* From now on the symbol is the function at `address`, for whoever looks it up. The symbol has to
 * be unlocked. */
void linkage_redirect(const struct linkage *linkage, ElfW(Sym) * symbol, const void *address);

/*
 * Calls `visit` with each slot that holds, or will hold, the address of a function, and with its
 * name, and writes what it returns into the slot; NULL leaves it.
 */
void linkage_walk(const struct linkage *linkage,
		  void *(*visit)(const char *name, void *value, void *argument), void *argument);

#endif
