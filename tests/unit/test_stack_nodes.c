/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/catalog.h"
#include "model/frames.h"
#include "model/stacks.h"
#include "stackframes.h"

/* The nodes and modules of a catalog (model/stacks.h), and their frames. */

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

static const struct frame *frame(void)
{
	return (const void *)bytes.data;
}

static void check_applied(void)
{
	assert_true(frames_valid(&catalog, frame(), bytes.length));
	assert_int_equal(frames_apply(&catalog, frame()), 0);
	bytes.length = 0;
}

static void check_refused(void)
{
	assert_int_equal(frames_apply(&catalog, frame()), -1);
	bytes.length = 0;
}

static void make_module(uint32_t id, const char *path)
{
	put_module(&bytes, id, path, "\1\2\3", 3);
}

static void make_node(uint32_t id, uint32_t parent, uint32_t module)
{
	put_node(&bytes, &(struct stack_frame){.id = id,
					       .parent = parent,
					       .module = module,
					       .offset = 16 * id,
					       .frame.flags = STACK_EXACT});
}

static void test_tables(void **state)
{
	const struct stack_module *module;
	const struct stack_node *node;

	(void)state;
	assert_null(stacks_node(&catalog.stacks, 1));
	assert_null(stacks_module(&catalog.stacks, 1));
	make_module(1, "/lib/x.so");
	check_applied();
	make_node(1, 0, 1);
	check_applied();
	make_node(2, 1, 0);
	check_applied();
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
	assert_null(stacks_module(&catalog.stacks, 2));
	assert_null(stacks_module(&catalog.stacks, UINT32_MAX));
}

static void refuse_module(uint32_t id)
{
	make_module(id, "b");
	check_refused();
}

/* A module frame that states these lengths. */
static void refuse_lengths(uint32_t path, uint32_t build_id)
{
	struct module_frame *module;

	make_module(2, "b");
	module = (void *)bytes.data;
	module->length = path;
	module->build_id_length = build_id;
	check_refused();
}

static void refuse_node(uint32_t id, uint32_t parent, uint32_t module)
{
	make_node(id, parent, module);
	check_refused();
}

static void test_refused(void **state)
{
	struct frame call = {.size = 64, .kind = FRAME_CALL, .stack = 1};
	uint64_t room[8] = {0};

	(void)state;
	memcpy(room, &call, sizeof(call));
	refuse_module(0);
	refuse_module(2);
	make_module(1, "a");
	check_applied();
	refuse_module(1);
	refuse_lengths(9, 3); /* longer than the frame */
	refuse_lengths(1000, 3);
	refuse_lengths(1, BUILD_ID_SIZE + 1);
	refuse_node(0, 0, 1);
	refuse_node(2, 0, 1);
	refuse_node(1, 1, 1); /* a cycle */
	refuse_node(1, 0, 2); /* no such module */
	assert_false(frames_valid(&catalog, (const void *)room, sizeof(room)));
	make_node(1, 0, 1);
	check_applied();
	assert_true(frames_valid(&catalog, (const void *)room, sizeof(room)));
	refuse_node(1, 0, 1); /* twice */
	refuse_node(2, 2, 1);
	refuse_node(2, 3, 1);
	refuse_node(2, 1, 2);
	assert_null(stacks_node(&catalog.stacks, 2));
}

static void check_module(const struct stacks *stacks, uint32_t id)
{
	const struct stack_module *one = stacks_module(stacks, id);
	const struct stack_module *other = stacks_module(&catalog.stacks, id);

	assert_non_null(other);
	assert_string_equal(one->path, other->path);
	assert_int_equal(one->build_id_length, other->build_id_length);
	assert_memory_equal(one->build_id, other->build_id, BUILD_ID_SIZE);
}

static void check_node(const struct stacks *stacks, uint32_t id)
{
	const struct stack_node *one = stacks_node(stacks, id);
	const struct stack_node *other = stacks_node(&catalog.stacks, id);

	assert_non_null(other);
	assert_int_equal(one->parent, other->parent);
	assert_int_equal(one->module, other->module);
	assert_int_equal(one->name, other->name);
	assert_int_equal(one->offset, other->offset);
	assert_int_equal(one->exact, other->exact);
}

/* What is written is read again. */
static void test_written(void **state)
{
	static const struct stack_module modules[] = {
		{.path = "/lib/a b.so", .length = 11, .build_id_length = 3, .build_id = {1, 2, 3}},
		{.path = "/bin/program", .length = 12},
	};
	static const struct stack_node nodes[] = {
		{.module = 1, .offset = 0x1234},
		{.parent = 1, .name = 7, .offset = 9, .exact = true},
		{.parent = 1, .module = 2, .offset = 99},
	};
	struct stacks stacks = {0};

	(void)state;
	for (uint32_t id = 1; id <= 2; id++) {
		assert_int_equal(stacks_add_module(&stacks, &modules[id - 1]), id);
		frames_put_module(&bytes, &stacks, id);
		check_applied();
		check_module(&stacks, id);
	}
	for (uint32_t id = 1; id <= 3; id++) {
		assert_int_equal(stacks_add_node(&stacks, &nodes[id - 1]), id);
		frames_put_stack(&bytes, &stacks, id);
		check_applied();
		check_node(&stacks, id);
	}
	stacks_free(&stacks);
}

static void test_full(void **state)
{
	const struct stack_node node = {.offset = 5};

	(void)state;
	for (uint32_t i = 1; i <= STACK_NODES; i++)
		assert_int_equal(stacks_add_node(&catalog.stacks, &node), i);
	assert_int_equal(stacks_add_node(&catalog.stacks, &node), 0);
	assert_int_equal(stacks_node(&catalog.stacks, STACK_NODES)->offset, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tables, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
