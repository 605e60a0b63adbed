/* SPDX-License-Identifier: MIT */
#ifndef TESTS_HELGRIND_ANNOTATE_H
#define TESTS_HELGRIND_ANNOTATE_H

/*
 * Included before everything in sources that run under helgrind. helgrind sees the load and the
 * store of an atomic operation, but not the order that it makes: these annotations announce it, as
 * the code requests it. So a store that should be a release and is relaxed is detected.
 */
#include <stdatomic.h>
#include <valgrind/helgrind.h>

#define HG_RELEASES(order)                                                                         \
	((order) == __ATOMIC_RELEASE || (order) == __ATOMIC_ACQ_REL || (order) == __ATOMIC_SEQ_CST)
#define HG_ACQUIRES(order) ((order) != __ATOMIC_RELAXED && (order) != __ATOMIC_RELEASE)

/* Accesses to the word itself are no race. */
#define HG_BEFORE(at, order)                                                                       \
	do {                                                                                       \
		VALGRIND_HG_DISABLE_CHECKING((at), sizeof(*(at)));                                 \
		if (HG_RELEASES(order))                                                            \
			ANNOTATE_HAPPENS_BEFORE(at);                                               \
	} while (0)
#define HG_AFTER(at, order)                                                                        \
	do {                                                                                       \
		if (HG_ACQUIRES(order))                                                            \
			ANNOTATE_HAPPENS_AFTER(at);                                                \
	} while (0)

/* Inside a macro its own name is not expanded: it is the compiler's. */
#define __atomic_store(at, from, order)                                                            \
	__extension__({                                                                            \
		HG_BEFORE(at, order);                                                              \
		__atomic_store(at, from, order);                                                   \
	})
#define __atomic_store_n(at, value, order)                                                         \
	__extension__({                                                                            \
		HG_BEFORE(at, order);                                                              \
		__atomic_store_n(at, value, order);                                                \
	})
#define __atomic_load(at, to, order)                                                               \
	__extension__({                                                                            \
		VALGRIND_HG_DISABLE_CHECKING((at), sizeof(*(at)));                                 \
		__atomic_load(at, to, order);                                                      \
		HG_AFTER(at, order);                                                               \
	})
#define HG_VALUE(at, order, operation)                                                             \
	__extension__({                                                                            \
		HG_BEFORE(at, order);                                                              \
		__auto_type hg_value = operation;                                                  \
		HG_AFTER(at, order);                                                               \
		hg_value;                                                                          \
	})
#define __atomic_load_n(at, order)                                                                 \
	__extension__({                                                                            \
		VALGRIND_HG_DISABLE_CHECKING((at), sizeof(*(at)));                                 \
		__auto_type hg_value = __atomic_load_n(at, order);                                 \
		HG_AFTER(at, order);                                                               \
		hg_value;                                                                          \
	})
#define __atomic_exchange(at, from, to, order)                                                     \
	__extension__({                                                                            \
		HG_BEFORE(at, order);                                                              \
		__atomic_exchange(at, from, to, order);                                            \
		HG_AFTER(at, order);                                                               \
	})
#define __atomic_exchange_n(at, value, order)                                                      \
	HG_VALUE(at, order, __atomic_exchange_n(at, value, order))
#define __atomic_fetch_add(at, value, order)                                                       \
	HG_VALUE(at, order, __atomic_fetch_add(at, value, order))
#define __atomic_fetch_sub(at, value, order)                                                       \
	HG_VALUE(at, order, __atomic_fetch_sub(at, value, order))
#define __atomic_fetch_or(at, value, order)                                                        \
	HG_VALUE(at, order, __atomic_fetch_or(at, value, order))
#define __atomic_compare_exchange(at, expected, value, weak, order, failure)                       \
	HG_VALUE(at, order,                                                                        \
		 __atomic_compare_exchange(at, expected, value, weak, order, failure))
#define __atomic_compare_exchange_n(at, expected, value, weak, order, failure)                     \
	HG_VALUE(at, order,                                                                        \
		 __atomic_compare_exchange_n(at, expected, value, weak, order, failure))

#endif
