/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/catalog.h"
#include "model/stacks.h"
#include "stackframes.h"

static struct catalog catalog;
static struct strbuf bytes;

static int set_up(void **state)
{
	(void)state;
	return catalog_init(&catalog);
}

static int tear_down(void **state)
{
	(void)state;
	strbuf_free(&bytes);
	catalog_free(&catalog);
	return 0;
}

static int apply(void)
{
	const struct frame *frame = (const void *)bytes.data;

	if (!frames_valid(&catalog, frame, bytes.length))
		return -1;
	return frames_apply(&catalog, frame);
}

static int add_module(uint32_t id, const char *path)
{
	bytes.length = 0;
	put_module(&bytes, id, path, "\1\2\3", 3);
	return apply();
}

static int add_node(uint32_t id, uint32_t parent, uint32_t module)
{
	bytes.length = 0;
	put_node(&bytes, &(struct stack_frame){.id = id, .parent = parent, .module = module,
					       .offset = 16 * id, .frame.flags = STACK_EXACT});
	return apply();
}

static void test_tables(void **state)
{
	const struct stack_module *module;
	const struct stack_node *node;

	(void)state;
	assert_null(stacks_node(&catalog.stacks, 1));
	assert_null(stacks_module(&catalog.stacks, 1));
	assert_int_equal(add_module(1, "/lib/x.so"), 0);
	assert_int_equal(add_node(1, 0, 1), 0);
	assert_int_equal(add_node(2, 1, 0), 0);
	module = stacks_module(&catalog.stacks, 1);
	assert_non_null(module);
	assert_string_equal(module->path, "/lib/x.so");
	assert_int_equal(module->build_id_length, 3);
	assert_memory_equal(module->build_id, "\1\2\3", 3);
	node = stacks_node(&catalog.stacks, 2);
	assert_non_null(node);
	assert_int_equal(node->parent, 1);
	assert_int_equal(node->offset, 32);
	assert_true(node->exact);
	assert_null(stacks_node(&catalog.stacks, 0));
	assert_null(stacks_node(&catalog.stacks, 3));
	assert_null(stacks_node(&catalog.stacks, UINT32_MAX));
	assert_null(stacks_module(&catalog.stacks, 0));
	assert_null(stacks_module(&catalog.stacks, UINT32_MAX));
}

static void test_refused(void **state)
{
	struct module_frame *module;

	(void)state;
	assert_int_equal(add_module(0, "b"), -1);
	assert_int_equal(add_module(2, "b"), -1);
	assert_int_equal(add_module(1, "a"), 0);
	assert_int_equal(add_module(1, "b"), -1);
	bytes.length = 0;
	put_module(&bytes, 2, "b", "", 0);
	module = (void *)bytes.data;
	module->length = 9; /* longer than its frame */
	assert_int_equal(apply(), -1);
	module->length = 1;
	module->build_id_length = BUILD_ID_SIZE + 1;
	assert_int_equal(apply(), -1);
	assert_int_equal(add_node(0, 0, 1), -1);
	assert_int_equal(add_node(2, 0, 1), -1);
	assert_int_equal(add_node(1, 0, 1), 0);
	assert_int_equal(add_node(1, 0, 1), -1); /* twice */
	assert_int_equal(add_node(2, 2, 1), -1); /* a cycle */
	assert_int_equal(add_node(2, 3, 1), -1);
	assert_int_equal(add_node(2, 1, 2), -1); /* no such module */
	assert_null(stacks_node(&catalog.stacks, 2));
}

/* What is written is read again. */
static void test_written(void **state)
{
	struct stacks stacks = {0};
	const struct stack_module module = {.path = "/bin/program", .length = 12};
	const struct stack_node node = {.module = 1, .offset = 99};

	(void)state;
	assert_int_equal(stacks_add_module(&stacks, &module), 1);
	assert_int_equal(stacks_add_node(&stacks, &node), 1);
	frames_put_module(&bytes, &stacks, 1);
	assert_int_equal(apply(), 0);
	bytes.length = 0;
	frames_put_stack(&bytes, &stacks, 1);
	assert_int_equal(apply(), 0);
	assert_string_equal(stacks_module(&catalog.stacks, 1)->path, "/bin/program");
	assert_int_equal(stacks_node(&catalog.stacks, 1)->offset, 99);
	assert_false(stacks_node(&catalog.stacks, 1)->exact);
	stacks_free(&stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tables, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
