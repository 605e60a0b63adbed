/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/linkage.h"

/* Finds an object by one of its functions. */
struct wanted {
	uintptr_t address;
	struct linkage linkage;
	bool found;
};

static int read_wanted(struct dl_phdr_info *object, size_t size, void *argument)
{
	struct wanted *wanted = argument;
	struct linkage linkage;

	(void)size;
	if (linkage_read(&linkage, object) || !linkage_has(&linkage, wanted->address))
		return 0;
	wanted->linkage = linkage;
	wanted->found = true;
	return 1;
}

static struct linkage object_of(const void *function)
{
	struct wanted wanted = {.address = (uintptr_t)function};

	dl_iterate_phdr(read_wanted, &wanted);
	assert_true(wanted.found);
	return wanted.linkage;
}

/* Plain functions, one that the C library selects for this processor, and one with several
 * versions. */
static void test_find(void **state)
{
	static const char *const names[] = {"malloc", "qsort", "strlen", "memchr", "getenv"};
	struct linkage linkage = object_of(dlsym(RTLD_DEFAULT, "getenv"));

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const ElfW(Sym) *symbol = linkage_function(&linkage, names[i]);

		if (strcmp(names[i], "malloc")) { /* that may be a sanitizer's */
			assert_non_null(symbol);
			assert_ptr_equal(linkage_address(&linkage, symbol),
					 dlsym(dlopen("libc.so.6", RTLD_LAZY), names[i]));
		}
	}
	assert_null(linkage_function(&linkage, "clGetPlatformIDs"));
	assert_null(linkage_function(&linkage, ""));
	assert_null(linkage_function(&linkage, "environ")); /* no function */
	assert_true(linkage_mentions(&linkage, "GNU C Library", 13));
	assert_false(linkage_has(&linkage, (uintptr_t)&linkage));
}

static int instead(void)
{
	return 42;
}

static void *open_module(void)
{
	char path[4096];
	const char *folder = getenv("builddir");
	void *module;

	snprintf(path, sizeof(path), "%s/tests/app/.libs/no_mprotect.so", folder ? folder : ".");
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!module)
		print_message("# %s\n", dlerror());
	return module;
}

/* Later look-ups find the other function, until it is restored. */
static void test_redirect(void **state)
{
	void *module = open_module(), *original;
	struct linkage linkage;
	ElfW(Sym) * symbol;
	int (*other)(void) = instead;
	void *address;

	(void)state;
	if (!module)
		skip();
	original = dlsym(module, "mprotect");
	linkage = object_of(original);
	assert_non_null(linkage.hash);
	assert_null(linkage_function(&linkage, "nothing"));
	symbol = linkage_function(&linkage, "mprotect");
	assert_non_null(symbol);
	assert_ptr_equal(linkage_address(&linkage, symbol), original);
	memcpy(&address, &other, sizeof(address));
	assert_int_equal(linkage_unlock(&linkage, symbol, symbol + 1), 0);
	linkage_redirect(&linkage, symbol, address);
	linkage_lock(&linkage, symbol, symbol + 1);
	assert_ptr_equal(dlsym(module, "mprotect"), address);
	assert_int_equal(linkage_unlock(&linkage, symbol, symbol + 1), 0);
	linkage_redirect(&linkage, symbol, original);
	linkage_lock(&linkage, symbol, symbol + 1);
	assert_ptr_equal(dlsym(module, "mprotect"), original);
	assert_int_equal(linkage_unlock(&linkage, &linkage, &linkage + 1), -1);
}

/* The memory is read-only again afterwards. */
static void test_locked(void **state)
{
	void *module = open_module();
	struct linkage linkage;
	ElfW(Sym) * symbol;
	int pipes[2];

	(void)state;
	if (!module)
		skip();
	linkage = object_of(dlsym(module, "mprotect"));
	symbol = linkage_function(&linkage, "mprotect");
	assert_int_equal(linkage_unlock(&linkage, symbol, symbol + 1), 0);
	linkage_lock(&linkage, symbol, symbol + 1);
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(write(pipes[1], "x", 1), 1);
	assert_int_equal(read(pipes[0], symbol, 1), -1); /* EFAULT */
	close(pipes[0]);
	close(pipes[1]);
}

static void *take_slot(const char *name, void *value, void *argument)
{
	void **seen = argument;

	if (strcmp(name, "getppid"))
		return NULL;
	*seen = value;
	return dlsym(RTLD_DEFAULT, "getpgrp");
}

/* This program's own slot. */
static void test_ring_walk(void **state)
{
	struct linkage linkage = object_of((const void *)&instead);
	void *seen = NULL;
	pid_t before = getppid();

	(void)state;
	linkage_walk(&linkage, take_slot, &seen);
	if (!seen)
		skip(); /* a processor whose slot types are unknown */
	assert_int_equal(getppid(), getpgrp());
	*(void **)&seen = dlsym(RTLD_DEFAULT, "getppid");
	assert_int_equal(((pid_t(*)(void))seen)(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_redirect),
		cmocka_unit_test(test_locked),
		cmocka_unit_test(test_ring_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
