/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/catalog.h"
#include "model/stacks.h"
#include "stackframes.h"

static struct stacks *stacks;

static int set_up(void **state)
{
	(void)state;
	stacks = stacks_new();
	return stacks ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	stacks_free(stacks);
	return 0;
}

static int add_module(uint32_t id, const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	int result;

	put_module(&bytes, id, path, "\1\2\3", 3);
	result = stacks_add_module(stacks, (const void *)bytes.data);
	strbuf_free(&bytes);
	return result;
}

static int add_node(uint32_t id, uint32_t parent, uint32_t module)
{
	return stacks_add_node(stacks, &(struct stack_frame){.id = id, .parent = parent,
							     .module = module, .offset = 16 * id,
							     .frame.flags = STACK_EXACT});
}

static void test_tables(void **state)
{
	const struct stack_module *module;
	const struct stack_node *node;

	(void)state;
	assert_null(stacks_node(NULL, 1));
	assert_null(stacks_module(NULL, 1));
	assert_int_equal(add_module(7, "/lib/x.so"), 0);
	assert_int_equal(add_node(900, 0, 7), 0);
	assert_int_equal(add_node(3, 900, 0), 0);
	module = stacks_module(stacks, 7);
	assert_non_null(module);
	assert_string_equal(module->path, "/lib/x.so");
	assert_int_equal(module->build_id_length, 3);
	assert_memory_equal(module->build_id, "\1\2\3", 3);
	node = stacks_node(stacks, 3);
	assert_non_null(node);
	assert_int_equal(node->parent, 900);
	assert_int_equal(node->depth, 2);
	assert_int_equal(node->offset, 48);
	assert_int_equal(node->flags, STACK_EXACT);
	assert_null(stacks_node(stacks, 0));
	assert_null(stacks_node(stacks, 4));
	assert_null(stacks_node(stacks, UINT32_MAX));
	assert_null(stacks_module(stacks, 0));
	assert_null(stacks_module(stacks, UINT32_MAX));
}

static void test_refused(void **state)
{
	struct module_frame module = {.frame.size = sizeof(module), .id = 2, .length = 1};

	(void)state;
	assert_int_equal(add_module(1, "a"), 0);
	assert_int_equal(add_module(1, "b"), -1);
	assert_int_equal(add_module(0, "b"), -1);
	assert_int_equal(add_module(STACKS_MODULES, "b"), -1);
	assert_int_equal(stacks_add_module(stacks, &module), -1); /* longer than its frame */
	module.length = 0;
	module.build_id_length = BUILD_ID_SIZE + 1;
	assert_int_equal(stacks_add_module(stacks, &module), -1);
	assert_int_equal(add_node(1, 0, 1), 0);
	assert_int_equal(add_node(1, 0, 1), -1); /* twice */
	assert_int_equal(add_node(0, 0, 1), -1);
	assert_int_equal(add_node(STACKS_NODES, 0, 1), -1);
	assert_int_equal(add_node(2, 2, 1), -1); /* a cycle */
	assert_int_equal(add_node(2, 3, 1), -1);
	assert_int_equal(add_node(2, 1, 2), -1); /* no such module */
	assert_null(stacks_node(stacks, 2));
}

static void test_deep(void **state)
{
	(void)state;
	for (uint32_t id = 1; id <= STACKS_DEPTH; id++)
		assert_int_equal(add_node(id, id - 1, 0), 0);
	assert_int_equal(add_node(STACKS_DEPTH + 1, STACKS_DEPTH, 0), -1);
	assert_int_equal(add_node(STACKS_DEPTH + 1, STACKS_DEPTH - 1, 0), 0);
}

/* A catalog reads them, and has no table without them. */
static void test_catalog(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct catalog catalog;
	size_t second;

	(void)state;
	assert_int_equal(catalog_init(&catalog), 0);
	assert_null(catalog.stacks);
	put_module(&bytes, 1, "/bin/program", "", 0);
	second = bytes.length;
	put_node(&bytes, &(struct stack_frame){.id = 1, .module = 1, .offset = 99});
	assert_true(frames_valid(&catalog, (const void *)bytes.data, bytes.length));
	assert_int_equal(frames_apply(&catalog, (const void *)bytes.data), 0);
	assert_int_equal(frames_apply(&catalog, (const void *)(bytes.data + second)), 0);
	assert_int_equal(stacks_node(catalog.stacks, 1)->offset, 99);
	assert_int_equal(frames_apply(&catalog, (const void *)(bytes.data + second)), -1);
	strbuf_free(&bytes);
	catalog_free(&catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tables, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_deep, set_up, tear_down),
		cmocka_unit_test(test_catalog),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
