/* SPDX-License-Identifier: MIT */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A cache of words by keys that threads and signal handlers use without a lock. A slot has one word
 * and a check, which is made of the key, the word and the salt. It does not match while the slot is
 * being written, nor with another salt: so a cache is emptied by changing its salt.
 */
struct slot {
	_Atomic uint64_t check;
	_Atomic uint64_t word; /* 0: empty */
};

/* The word is multiplied so that two pairs of a key and a word, with a few bits different in each,
 * do not have the same check. */
static inline uint64_t slot_check(uint64_t key, uint64_t word, uint64_t salt)
{
	return key ^ word * UINT64_C(0x5bd1e995) ^ salt;
}

/* Returns the slot of the key in an array of 1 << bits. */
static inline struct slot *slot_of(struct slot *slots, unsigned bits, uint64_t key)
{
	return &slots[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits)];
}

/* Returns the word of the key, 0 if the slot does not have it. What the writer did before it wrote
 * the slot is visible then. */
static inline uint64_t slot_read(const struct slot *slot, uint64_t key, uint64_t salt)
{
	uint64_t word = atomic_load_explicit(&slot->word, memory_order_acquire);
	uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);

	return check == slot_check(key, word, salt) ? word : 0;
}

static inline void slot_write(struct slot *slot, uint64_t key, uint64_t salt, uint64_t word)
{
	atomic_store_explicit(&slot->check, slot_check(key, word, salt), memory_order_relaxed);
	atomic_store_explicit(&slot->word, word, memory_order_release);
}

#endif
