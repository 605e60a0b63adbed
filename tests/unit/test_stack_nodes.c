/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/frames.h"

static struct catalog from, to;

static int set_up(void **state)
{
	(void)state;
	return catalog_init(&from) || catalog_init(&to);
}

static int tear_down(void **state)
{
	(void)state;
	catalog_free(&from);
	catalog_free(&to);
	return 0;
}

static void add_example(void)
{
	struct stack_module module = {
		.path = "/lib/a b.so", .length = 11, .build_id_length = 3, .build_id = {1, 2, 3}};

	assert_int_equal(stacks_add_module(&from.stacks, &module), 1);
	assert_int_equal(
		stacks_add_node(&from.stacks, &(struct stack_node){.module = 1, .offset = 0x1234}),
		1);
	assert_int_equal(
		stacks_add_node(
			&from.stacks,
			&(struct stack_node){.parent = 1, .name = 7, .offset = 9, .exact = true}),
		2);
}

static int apply(const struct strbuf *frames)
{
	int result = 0;

	for (size_t at = 0; at < frames->length && !result;) {
		const struct frame *frame = (const void *)(frames->data + at);

		result = frames_valid(&to, frame, frames->length - at) ? frames_apply(&to, frame)
								       : -2;
		at += frame->size;
	}
	return result;
}

static void test_frames(void **state)
{
	struct strbuf frames = STRBUF_INIT;
	const struct stack_module *module;

	(void)state;
	add_example();
	frames_put_module(&frames, &from.stacks, 1);
	frames_put_stack(&frames, &from.stacks, 1);
	frames_put_stack(&frames, &from.stacks, 2);
	assert_int_equal(apply(&frames), 0);
	module = stacks_module(&to.stacks, 1);
	assert_non_null(module);
	assert_string_equal(module->path, "/lib/a b.so");
	assert_memory_equal(module->build_id, stacks_module(&from.stacks, 1)->build_id,
			    BUILD_ID_SIZE);
	for (uint32_t id = 1; id <= 2; id++) {
		const struct stack_node *one = stacks_node(&from.stacks, id);
		const struct stack_node *other = stacks_node(&to.stacks, id);

		assert_int_equal(one->parent, other->parent);
		assert_int_equal(one->module, other->module);
		assert_int_equal(one->name, other->name);
		assert_int_equal(one->offset, other->offset);
		assert_int_equal(one->exact, other->exact);
	}
	assert_null(stacks_node(&to.stacks, 0));
	assert_null(stacks_node(&to.stacks, 3));
	assert_null(stacks_module(&to.stacks, 2));
	strbuf_free(&frames);
}

/* A frame that contradicts the catalog is refused. */
static void test_wrong(void **state)
{
	struct strbuf frames = STRBUF_INIT;
	struct stack_frame *node;
	struct module_frame *module;
	struct frame call = {.size = 64, .kind = FRAME_CALL};
	uint64_t room[8] = {0};

	(void)state;
	add_example();
	frames_put_module(&frames, &from.stacks, 1);
	module = (void *)frames.data;
	module->length = 1000;
	assert_int_equal(frames_apply(&to, &module->frame), -1);
	module->length = 11;
	module->build_id_length = 33;
	assert_int_equal(frames_apply(&to, &module->frame), -1);
	module->build_id_length = 3;
	module->id = 2;
	assert_int_equal(frames_apply(&to, &module->frame), -1);
	module->id = 1;
	assert_int_equal(frames_apply(&to, &module->frame), 0);
	frames.length = 0;
	frames_put_stack(&frames, &from.stacks, 1);
	node = (void *)frames.data;
	node->parent = 1;
	assert_int_equal(frames_apply(&to, &node->frame), -1);
	node->parent = 0;
	node->module = 2;
	assert_int_equal(frames_apply(&to, &node->frame), -1);
	node->module = 1;
	node->id = 2;
	assert_int_equal(frames_apply(&to, &node->frame), -1);
	node->id = 1;
	call.stack = 1;
	memcpy(room, &call, sizeof(call));
	assert_false(frames_valid(&to, (const void *)room, sizeof(room)));
	assert_int_equal(frames_apply(&to, &node->frame), 0);
	assert_true(frames_valid(&to, (const void *)room, sizeof(room)));
	strbuf_free(&frames);
}

static void test_full(void **state)
{
	const struct stack_node node = {.offset = 5};

	(void)state;
	for (uint32_t i = 1; i <= STACK_NODES; i++)
		assert_int_equal(stacks_add_node(&from.stacks, &node), i);
	assert_int_equal(stacks_add_node(&from.stacks, &node), 0);
	assert_int_equal(stacks_node(&from.stacks, STACK_NODES)->offset, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wrong, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
