/* SPDX-License-Identifier: MIT */
/* The graph of the data flow, from frames that are written by hand. */
#include "flow_script.h"

#include "view/advise/flow.h"

enum { A = 0x1000, B = 0x2000, SIZE = 400, OTHER_SIZE = 800 };

static struct flow flow;

static int set_up(void **state)
{
	script_uses = script_values = 0;
	return script_set_up(state);
}

static int tear_down(void **state)
{
	flow_free(&flow);
	return script_tear_down(state);
}

static void write_from_host(uint64_t time, uint64_t address, uint64_t same, uint64_t changed)
{
	struct record *record = runs(FRAME_COPY, time, time + 1);

	record->direction = DIRECTION_HOST_TO_DEVICE;
	record->source = MEMORY_HOST;
	record->target = MEMORY_DEVICE;
	part(address, USE_WRITE, USE_NO_ARGUMENT, 0);
	changes(same, changed);
}

static void launch(uint64_t time, uint32_t name)
{
	runs(FRAME_KERNEL, time, time + 1)->name = name;
}

/* The last use is of another thread, whose correlations are before all others. */
static void in_first_thread(void)
{
	struct use *use = &script[script_length - 2].event.use;

	use->frame.correlation = script_uses;
	script[script_length - 1].event.change.use = script_uses;
}

/* In the order of addition, or backwards: readers do not depend on it. */
static void read_script(bool backwards)
{
	static const struct process process;
	struct collect *collect = collect_new(&process);
	struct flow_collect *flow_collect = flow_collect_new(&process);
	struct strbuf error = STRBUF_INIT;

	assert_non_null(collect);
	assert_non_null(flow_collect);
	for (size_t i = 0; i < script_length; i++) {
		const struct frame *frame = &script[backwards ? script_length - 1 - i : i].frame;

		assert_int_equal(collect_add(collect, frame, &error), 0);
		assert_int_equal(flow_collect_add(flow_collect, frame, &error), 0);
	}
	assert_int_equal(collect_end(collect, 1, &objects, &error), 0);
	assert_int_equal(flow_collect_end(flow_collect, &objects, &flow, &error), 0);
	collect_free(collect);
	flow_collect_free(flow_collect);
	strbuf_free(&error);
}

/* Returns the node, the first of its kind and name. */
static uint32_t node_of(enum flow_node_kind kind, uint32_t name)
{
	for (uint32_t i = 0; i < flow.nodes.count; i++)
		if (flow_node(&flow, i)->key.kind == kind && flow_node(&flow, i)->key.name == name)
			return i;
	fail();
	return 0;
}

static uint32_t memory_of(uint32_t number)
{
	for (uint32_t i = 0; i < flow.nodes.count; i++)
		if (flow_node(&flow, i)->object == number)
			return i;
	fail();
	return 0;
}

/* Returns the edge, or NULL. */
static const struct flow_edge *edge_of(uint32_t from, uint32_t to, uint32_t memory,
				       enum flow_edge_kind kind)
{
	const struct flow_edge_key key = {from, to, memory, kind};

	for (uint32_t i = 0; i < flow.edges.count; i++)
		if (!memcmp(&flow_edge(&flow, i)->key, &key, sizeof(key)))
			return flow_edge(&flow, i);
	return NULL;
}

static void write_graph(void)
{
	allocates(A, SIZE, 1);
	allocates(B, OTHER_SIZE, 2);
	write_from_host(10, A, 0, SIZE);
	write_from_host(20, A, SIZE, 0);
	launch(30, 1);
	part(A, USE_READ, 0, USE_PARTIAL);
	part(B, USE_READ_WRITE, 1, USE_ASSUMED | USE_PARTIAL);
	changes(0, OTHER_SIZE);
	launch(40, 2);
	part(B, USE_READ_WRITE, 0, USE_ASSUMED | USE_PARTIAL);
	changes(OTHER_SIZE - 4, 4);
	runs(FRAME_COPY, 50, 51)->direction = DIRECTION_DEVICE_TO_HOST;
	part(B, USE_READ, USE_NO_ARGUMENT, 0);
}

static void check_graph(void)
{
	uint32_t a = memory_of(1), b = memory_of(2), one = node_of(FLOW_KERNEL, 1);
	uint32_t two = node_of(FLOW_KERNEL, 2), copy = node_of(FLOW_COPY, 0);
	const struct flow_edge *edge = edge_of(a, copy, a, FLOW_WRITE);
	uint32_t fetch = copy + 1;

	while (flow_node(&flow, fetch)->key.kind != FLOW_COPY)
		fetch++;
	assert_non_null(edge);
	assert_int_equal(edge->commands, 1);
	assert_int_equal(edge->same, 0);
	/* The second copy is the same node: it overwrites what it has written. */
	edge = edge_of(copy, copy, a, FLOW_WRITE);
	assert_non_null(edge);
	assert_int_equal(edge->same, SIZE);
	assert_int_equal(edge->same_words, SIZE);
	assert_int_equal(edge->compared_bytes, SIZE);
	assert_int_equal(edge_of(0, copy, 0, FLOW_READ)->commands, 2);
	assert_int_equal(flow_node(&flow, copy)->count, 2);
	assert_int_equal(edge_of(copy, one, a, FLOW_READ)->written, SIZE);
	assert_non_null(edge_of(b, one, b, FLOW_WRITE));
	assert_null(edge_of(b, one, b, FLOW_READ)); /* nothing has written it before */
	assert_int_equal(edge_of(one, two, b, FLOW_WRITE)->same, OTHER_SIZE - 4);
	assert_non_null(edge_of(one, two, b, FLOW_READ));
	assert_non_null(edge_of(two, fetch, b, FLOW_READ));
	assert_non_null(edge_of(fetch, 0, b, FLOW_SINK));
	assert_int_equal(flow.edges.count, 9);
	assert_int_equal(flow.nodes.count, 7);
	assert_int_equal(flow.reasons[CHANGE_COMPARED], 4);
}

static void test_graph(void **state)
{
	(void)state;
	write_graph();
	read_script(false);
	check_graph();
}

static void test_any_order(void **state)
{
	(void)state;
	write_graph();
	read_script(true);
	check_graph();
}

/* Of two arguments without const, one counts as read until a launch changes it. */
static void test_assumed(void **state)
{
	const struct flow_edge *edge;
	uint32_t kernel_node;

	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, SIZE, 2);
	write_from_host(10, A, 0, SIZE);
	write_from_host(20, B, 0, SIZE);
	for (int i = 0; i < 3; i++) {
		launch(30 + 10 * (uint64_t)i, 1);
		part(A, USE_READ_WRITE, 0, USE_ASSUMED | USE_PARTIAL);
		changes(SIZE, 0);
		part(B, USE_READ_WRITE, 1, USE_ASSUMED | USE_PARTIAL);
		changes(i == 1 ? 0 : SIZE, i == 1 ? SIZE : 0);
	}
	read_script(false);
	kernel_node = node_of(FLOW_KERNEL, 1);
	edge = edge_of(node_of(FLOW_COPY, 0), kernel_node, memory_of(1), FLOW_READ);
	assert_int_equal(edge->commands, 3);
	assert_int_equal(edge->unchanged, 3);
	assert_null(edge_of(node_of(FLOW_COPY, 0), kernel_node, memory_of(1), FLOW_WRITE));
	edge = edge_of(node_of(FLOW_COPY, 0), kernel_node, memory_of(2), FLOW_WRITE);
	assert_int_equal(edge->commands, 1);
	assert_int_equal(edge->same, 0);
	edge = edge_of(kernel_node, kernel_node, memory_of(2), FLOW_WRITE);
	assert_int_equal(edge->commands, 1);
	assert_int_equal(edge->same, SIZE);
	edge = edge_of(node_of(FLOW_COPY, 0), kernel_node, memory_of(2), FLOW_READ);
	assert_int_equal(edge->unchanged, 1);
	assert_int_equal(flow.arguments.count, 2);
	assert_int_equal(flow_argument(&flow, 0)->compared, 3);
	assert_int_equal(flow_argument(&flow, 0)->changes, 0);
	assert_int_equal(flow_argument(&flow, 1)->changes, 1);
}

/* An argument that has had one object, and one that has had two. */
static void test_several(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, SIZE, 2);
	for (int i = 0; i < 2; i++) {
		launch(10 + 10 * (uint64_t)i, 1);
		part(A, USE_READ_WRITE, 0, USE_ASSUMED | USE_PARTIAL);
		changes(SIZE, 0);
		part(i ? A : B, USE_READ_WRITE, 1, USE_ASSUMED | USE_PARTIAL);
		changes(SIZE, 0);
	}
	read_script(false);
	assert_int_equal(flow.arguments.count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const struct flow_argument *argument = flow_argument(&flow, i);

		assert_int_equal(argument->has_others, argument->key.argument == 1);
		assert_int_equal(argument->object, argument->key.argument == 1 ? 2 : 1);
	}
}

/* A command reads what was there before it, also if it uses the object twice. */
static void test_in_place(void **state)
{
	uint32_t kernel_node;

	(void)state;
	allocates(A, SIZE, 1);
	write_from_host(10, A, 0, SIZE);
	launch(20, 1);
	part(A, USE_WRITE, 0, USE_PARTIAL);
	changes(SIZE, 0);
	part(A, USE_READ, 1, USE_PARTIAL);
	read_script(false);
	kernel_node = node_of(FLOW_KERNEL, 1);
	assert_non_null(edge_of(node_of(FLOW_COPY, 0), kernel_node, memory_of(1), FLOW_READ));
	assert_null(edge_of(kernel_node, kernel_node, memory_of(1), FLOW_READ));
	assert_int_equal(flow_node(&flow, kernel_node)->count, 1);
}

/* Two threads, one of which copies and the other launches: time decides, not the correlations. */
static void test_threads(void **state)
{
	uint32_t kernel_node, copy;

	(void)state;
	allocates(A, SIZE, 1);
	for (uint64_t i = 0; i < 3; i++) {
		write_from_host(10 + 20 * i, A, 0, SIZE);
		launch(20 + 20 * i, 1);
		part(A, USE_WRITE, 0, USE_PARTIAL);
		changes(0, SIZE);
		in_first_thread();
	}
	read_script(false);
	kernel_node = node_of(FLOW_KERNEL, 1);
	copy = node_of(FLOW_COPY, 0);
	assert_int_equal(edge_of(memory_of(1), copy, memory_of(1), FLOW_WRITE)->commands, 1);
	assert_int_equal(edge_of(copy, kernel_node, memory_of(1), FLOW_WRITE)->commands, 3);
	assert_int_equal(edge_of(kernel_node, copy, memory_of(1), FLOW_WRITE)->commands, 2);
	assert_int_equal(flow_node(&flow, kernel_node)->count, 3);
}

/* Nodes differ by their call stacks; equal contents make duplicates. */
static void test_stacks_and_twins(void **state)
{
	const struct flow_twin *twin;

	(void)state;
	allocates(A, SIZE, 1)->frame.stack = 5;
	allocates(B, SIZE, 2)->frame.stack = 5;
	for (uint32_t i = 0; i < 3; i++) {
		struct record *record = runs(FRAME_FILL, 10 + 10 * (uint64_t)i, 11);

		record->frame.stack = 6 + i;
		part(i ? A : B, USE_WRITE, USE_NO_ARGUMENT, 0);
		changes(0, SIZE)->hash = i == 2 ? 77 : 99;
	}
	read_script(false);
	assert_int_equal(flow.nodes.count, 1 + 1 + 3);
	assert_int_equal(flow_node(&flow, memory_of(1))->count, 2);
	assert_int_equal(flow.twins.count, 1);
	twin = keyed_at(&flow.twins, 0);
	assert_int_equal(flow_node(&flow, twin->key.node)->key.stack, 6);
	assert_int_equal(flow_node(&flow, twin->key.other)->key.stack, 7);
	assert_int_equal(twin->bytes, SIZE);
}

/* Writes that were not compared are counted by their reason and add nothing to the same bytes. */
static void test_not_compared(void **state)
{
	const struct flow_edge *edge;

	(void)state;
	allocates(A, SIZE, 1);
	write_from_host(10, A, 0, SIZE);
	launch(20, 1);
	part(A, USE_WRITE, 0, USE_PARTIAL);
	changes(0, 0)->reason = CHANGE_TIME;
	launch(30, 1);
	part(A, USE_WRITE, 0, USE_PARTIAL); /* the trace ends */
	launch(40, 1);
	part(0x9000, USE_WRITE, 0, USE_PARTIAL);
	read_script(false);
	edge = edge_of(node_of(FLOW_COPY, 0), node_of(FLOW_KERNEL, 1), memory_of(1), FLOW_WRITE);
	assert_int_equal(edge->compared, 0);
	assert_int_equal(edge->compared_bytes, 0);
	assert_int_equal(edge->written, SIZE);
	assert_int_equal(flow.reasons[CHANGE_TIME], 1);
}

/* A kernel finds zeros, and makes a single value of them; three launches, each another value. */
static void examine_launches(void)
{
	struct pattern *after;

	allocates(A, SIZE, 1);
	for (unsigned i = 0; i < 3; i++) {
		launch(20, 1);
		part(A, USE_READ_WRITE, 2, USE_PARTIAL | USE_ASSUMED);
		changes(0, SIZE);
		if (i == 0)
			has(PATTERN_ZEROS, PATTERN_BEFORE, SIZE / 4);
		after = has(PATTERN_SINGLE | PATTERN_NARROW | PATTERN_LINEAR, i ? PATTERN_MANY : 0,
			    0);
		after->elements = SIZE / 4 - i;
		after->distinct = 1 + i % 2;
		after->narrow_signed = i ? 16 : 8;
		after->narrow_unsigned = i == 1 ? 32 : 8;
		after->narrow_tail = 32;
		with(PATTERN_VALUE_TOP, 5 + i, SIZE / 4 - i);
		with(PATTERN_VALUE_ROUNDED, 50, SIZE / 8 + i);
		with(PATTERN_VALUE_ROUNDED, 60 + i, SIZE / 16);
		with(PATTERN_VALUE_LINE, UINT64_C(0x4008000000000000), i);
		with((enum pattern_value_kind)77, 1, 1);
	}
	script_uses += 7; /* of a use that is lost */
	has(PATTERN_FREQUENT, 0, SIZE / 4);
	script_uses = UINT64_MAX;
	has(PATTERN_FREQUENT, 0, SIZE / 4)->frame.correlation = UINT64_MAX - (UINT64_C(1) << 63);
}

/* What it has holds for all three contents. */
static void assert_merged(const struct flow_pattern *after)
{
	assert_int_equal(after->pattern.elements, SIZE / 4);
	assert_int_equal(after->least_elements, SIZE / 4 - 2);
	assert_int_equal(after->pattern.distinct, 2);
	assert_int_equal(after->exact.least_distinct, 1);
	assert_true(after->pattern.frame.flags & PATTERN_MANY);
	assert_false(after->exact.all_have_more);
	assert_int_equal(after->pattern.narrow_signed, 16);
	assert_int_equal(after->pattern.narrow_unsigned, 32);
	assert_int_equal(after->pattern.narrow_tail, 32);
	assert_int_equal(after->exact.count, 0);
	assert_true(after->exact.differ);
	assert_false(after->exact.are_few); /* one of the contents has many */
	assert_int_equal(after->rounded.count, 1);
	assert_true(after->rounded.differ);
	assert_int_equal(after->rounded.list[0].value, 50);
	assert_int_equal(after->rounded.list[0].count, SIZE / 8 + 2);
	assert_int_equal(after->rounded.list[0].least_count, SIZE / 8);
	assert_true(after->slope > 2.9 && after->slope < 3.1);
	assert_true(after->lines_differ);
}

static void assert_patterns(void)
{
	const struct flow_pattern *before, *after;

	assert_int_equal(flow.examined, 6);
	assert_int_equal(flow.patterns.count, 2);
	before = flow_pattern(&flow, 0);
	assert_int_equal(before->key.kinds, PATTERN_ZEROS);
	assert_int_equal(before->key.flags, PATTERN_BEFORE);
	assert_int_equal(before->versions, 1);
	assert_int_equal(before->exact.count, 0);
	assert_false(before->exact.differ);
	after = flow_pattern(&flow, 1);
	assert_int_equal(after->key.node, node_of(FLOW_KERNEL, 1));
	assert_int_equal(after->key.memory, memory_of(1));
	assert_int_equal(after->key.argument, 2);
	assert_int_equal(after->key.flags, 0);
	assert_int_equal(after->versions, 3);
	assert_int_equal(after->bytes, 3 * SIZE);
	assert_int_equal(after->object, 1);
	assert_merged(after);
}

static void test_patterns(void **state)
{
	(void)state;
	examine_launches();
	read_script(false);
	assert_patterns();
}

static void test_patterns_backwards(void **state)
{
	(void)state;
	examine_launches();
	read_script(true);
	assert_patterns();
}

static void test_none(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	launch(20, 1);
	part(A, USE_WRITE, 0, USE_PARTIAL);
	read_script(false);
	assert_int_equal(flow.changes, 0);
	assert_int_equal(flow.nodes.count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(graph),
		TEST(any_order),
		TEST(assumed),
		TEST(several),
		TEST(in_place),
		TEST(stacks_and_twins),
		TEST(not_compared),
		TEST(none),
		TEST(threads),
		TEST(patterns),
		TEST(patterns_backwards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
