/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "session/state.h"
#include "session/thread.h"

#include "profiled_program.h"

/* The program's calls as events: their times, how often the clock is read for them, and calls that
 * signal handlers interrupt. */

enum { CALLS = 20000, ODD_ERRNO = 4711, ONE = 7, TWO = 8, RESULT = -36 };

static __thread int reads; /* of the clock by this thread */

/* In place of the C library's. */
int clock_gettime(clockid_t id, struct timespec *to)
{
	reads++;
	return (int)syscall(SYS_clock_gettime, id, to);
}

static void require(bool well, int status)
{
	if (!well)
		_exit(status);
}

static void start_traced(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	start(settings);
	launch(1, 0, FAKE_DONE);
}

static uint64_t open_now(void)
{
	return thread_self()->rings[0]->ring.open;
}

/* The part of a command's wrapper before the driver's call. */
static void begin_command(struct probe *probe)
{
	probe_begin(probe);
	require(!probe->nested, 1);
	require(open_now() == probe->enter, 2);
}

/* The part after it. */
static struct record end_command(struct probe *probe)
{
	struct record *record = probe_record(probe, FRAME_COPY), copy = *record;

	record->handle = FAKE_DONE;
	probe_commit();
	probe_end(probe);
	return copy;
}

/* A call that is a command: the clock is read once before and once after the driver's call. */
static void make_command(bool checked)
{
	struct probe_call call;
	struct record record;
	struct probe probe;

	reads = 0;
	errno = ODD_ERRNO;
	probe_command_begin(&call);
	require(open_now() == call.enter, 3);
	begin_command(&probe);
	require(!checked || reads == 1, 4);
	record = end_command(&probe);
	probe_call_end(&call);
	require(!checked || reads == 2, 5);
	require(record.enter == call.enter && record.leave == call.leave, 6);
	require(record.leave > record.enter, 7);
	require(!open_now(), 8);
	probe_call_event(&call, API_OPENCL, ONE, RESULT);
	require((!checked || reads == 2) && errno == ODD_ERRNO, 9);
	require(!thread_self()->innermost && !thread_self()->filling && !open_now(), 10);
}

/* A call that makes no record. */
static void make_call(bool checked)
{
	struct probe_call call;

	reads = 0;
	errno = ODD_ERRNO;
	probe_call_begin(&call);
	require(reads == 1 && !open_now(), 11);
	probe_call_end(&call);
	require(reads == 2 && call.leave > call.enter, 12);
	probe_call_event(&call, API_OPENCL, TWO, 0);
	require((!checked || reads == 2) && errno == ODD_ERRNO, 13);
}

static void traced(void)
{
	int checked = 0;

	start_traced();
	for (int i = 0; i < CALLS; i++) {
		const struct ring *ring = &thread_self()->rings[0]->ring;
		/* Without room, a thread waits for it with the clock. */
		bool room = !ring_is_half_full(ring);

		checked += room;
		make_command(room);
		make_call(room);
	}
	require(checked > 1000, 14);
	session_stop();
	session_end();
}

static struct trace_reader *open_trace(void)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open("trace", &error);

	assert_non_null(reader);
	return reader;
}

static const struct call *next_call(struct trace_reader *reader)
{
	struct strbuf error = STRBUF_INIT;
	const struct frame *frame;
	const void *at;

	while (trace_next_frame(reader, &frame, &error) == 1) {
		at = frame;
		if (frame->kind == FRAME_CALL)
			return at;
	}
	assert_int_equal(error.length, 0);
	return NULL;
}

static void test_events(void **state)
{
	struct trace_reader *reader;
	const struct call *call;
	uint64_t last = 0, made = 0;
	int count = 0;

	(void)state;
	assert_int_equal(run(traced), 0);
	reader = open_trace();
	for (; (call = next_call(reader)); count++) {
		assert_int_equal(call->frame.size, sizeof(*call));
		assert_int_equal(call->frame.flags, 0);
		assert_int_equal(call->frame.stack, 0);
		assert_true(call->frame.thread > 0);
		assert_true(!last || call->frame.correlation == last + 1);
		assert_true(call->frame.correlation & EVENT_NUMBERS);
		assert_true(call->leave > call->enter);
		assert_int_equal(call->api, API_OPENCL);
		assert_int_equal(call->number, 0);
		assert_int_equal(call->name, count % 2 ? TWO : ONE);
		assert_int_equal(call->result, count % 2 ? 0 : RESULT);
		assert_int_equal(call->records, count % 2 ? 0 : 1);
		assert_int_equal(call->made != 0, call->records);
		assert_true(!call->made || !made || call->made == made + 1);
		made = call->made ? call->made : made;
		last = call->frame.correlation;
	}
	assert_int_equal(count, 2 * CALLS);
	trace_close(reader);
}

/* The command is refused: it has an end, but no record. */
static void refused(void)
{
	struct probe_call call;
	struct probe probe;
	uint64_t before;

	start_traced();
	probe_command_begin(&call);
	begin_command(&probe);
	require(probe.enter == call.enter, 20);
	probe_end(&probe);
	before = clock_monotonic();
	probe_call_end(&call);
	require(call.leave >= before && !open_now(), 21);
	/* Not even a probe, as of a kernel that the filter excludes. */
	probe_command_begin(&call);
	require(open_now() == call.enter, 22);
	before = clock_monotonic();
	probe_call_end(&call);
	require(call.leave >= before && !open_now(), 23);
	session_stop();
	session_end();
}

static void test_refused(void **state)
{
	(void)state;
	assert_int_equal(run(refused), 0);
}

/* The driver is queried before the command begins: that is a part of the call only. */
static void delayed(void)
{
	struct probe_call call;
	struct record record;
	struct probe probe;
	uint64_t before;

	start_traced();
	probe_command_begin(&call);
	probe_announce_none();
	require(!open_now(), 30);
	before = clock_monotonic();
	begin_command(&probe);
	require(probe.enter >= before, 31);
	probe_announce_none();
	require(open_now() == probe.enter, 32);
	record = end_command(&probe);
	before = clock_monotonic();
	probe_call_end(&call);
	require(call.enter < record.enter && call.leave >= before, 33);
	session_stop();
	session_end();
}

static void test_delayed(void **state)
{
	(void)state;
	assert_int_equal(run(delayed), 0);
}

/* Only the first record of a call begins with it, and only a call outside of other ones opens the
 * window. */
static void several(void)
{
	struct probe_call call, inner;
	struct probe probes[2]; /* the stack grows downwards */
	struct record record;
	uint64_t before;

	start_traced();
	probe_command_begin(&call);
	begin_command(&probes[1]);
	end_command(&probes[1]);
	before = clock_monotonic();
	begin_command(&probes[1]);
	require(probes[1].enter >= before, 40);
	record = end_command(&probes[1]);
	before = clock_monotonic();
	probe_call_end(&call);
	require(call.leave >= before && call.leave >= record.leave, 41);
	begin_command(&probes[1]);
	probe_command_begin(&inner);
	require(inner.enter > probes[1].enter && open_now() == probes[1].enter, 42);
	probe_begin(&probes[0]);
	require(probes[0].nested && probes[0].enter > inner.enter, 43);
	probe_end(&probes[0]);
	probe_call_end(&inner);
	require(open_now() == probes[1].enter, 44);
	end_command(&probes[1]);
	session_stop();
	session_end();
}

static void test_several(void **state)
{
	(void)state;
	assert_int_equal(run(several), 0);
}

#if defined(__x86_64__) && !SLOW_BUILD
#include <x86intrin.h>

enum { ROUNDS = 3, TRAP = 1 << 8 /* of the flags register */ };

static int stepped, wanted;
static sigjmp_buf before_call;

__attribute__((noinline)) static void record_call(uint32_t name)
{
	struct probe_call call = {.enter = 1, .leave = 2, .newest = probe_last_correlation()};

	probe_call_event(&call, API_OPENCL, name, 0);
}

/* Calls `handler` after each instruction of an event's recording. */
__attribute__((noinline)) static void step_through(void (*handler)(int number))
{
	const struct sigaction action = {.sa_handler = handler};

	sigaction(SIGTRAP, &action, NULL);
	stepped = 0;
	__writeeflags(__readeflags() | TRAP);
	record_call(ONE);
	__writeeflags(__readeflags() & ~(unsigned long long)TRAP);
}

static void end(int expected)
{
	FILE *file = fopen("expected", "w");

	require(file && fprintf(file, "%d %llu", expected, (unsigned long long)globals.lost) > 0,
		50);
	fclose(file);
	session_stop();
	session_end();
}

static void call_in_handler(int number)
{
	(void)number;
	stepped++;
	record_call(TWO);
}

static void interrupted(void)
{
	int steps = 0;

	start_traced();
	for (int i = 0; i < ROUNDS; i++) {
		step_through(call_in_handler);
		steps += stepped;
		require(!thread_self()->filling && !thread_self()->innermost, 51);
	}
	end(steps);
}

/* Returns the number of events by name in `counts`, and the losses; each has its own number. */
static void count_events(int counts[TWO + 1], int *expected, unsigned long long *lost)
{
	static char seen[1 << 20];
	struct trace_reader *reader = open_trace();
	const struct call *call;
	FILE *file = fopen("expected", "r");

	assert_int_equal(fscanf(file, "%d %llu", expected, lost), 2);
	fclose(file);
	memset(seen, 0, sizeof(seen));
	while ((call = next_call(reader))) {
		uint64_t number = call->frame.correlation & (EVENT_NUMBERS - 1);
		uint64_t ring = call->frame.correlation >> 40;
		size_t at = (size_t)(number * 8 + ring) % sizeof(seen);

		assert_int_equal(call->enter, 1);
		assert_int_equal(call->leave, 2);
		assert_in_range(call->name, ONE, TWO);
		assert_int_equal(seen[at]++, 0);
		counts[call->name]++;
	}
	trace_close(reader);
}

static void test_handlers_that_call(void **state)
{
	int counts[TWO + 1] = {0}, expected;
	unsigned long long lost;

	(void)state;
	assert_int_equal(run(interrupted), 0);
	count_events(counts, &expected, &lost);
	print_message("# %d calls in handlers\n", expected);
	assert_true(expected > 100);
	assert_int_equal(counts[ONE], ROUNDS);
	assert_int_equal(counts[TWO], expected);
	assert_int_equal(lost, 0);
}

static void jump(int number)
{
	(void)number;
	if (++stepped == wanted)
		siglongjmp(before_call, 1);
}

/* Returns true if the recording was left after instruction `wanted`. */
static bool leave_one(void)
{
	wanted++;
	if (sigsetjmp(before_call, 1))
		return true;
	step_through(jump);
	return false;
}

/* An event that is left is wholly in the trace or not at all; later ones are not affected. */
static void left(void)
{
	int after = 0;
	bool more;

	start_traced();
	do {
		more = leave_one();
		for (int i = 0; i < 2; i++, after++)
			record_call(TWO);
		require(!thread_self()->filling && !thread_self()->innermost, 52);
	} while (more);
	end(after);
}

static void test_handlers_that_jump(void **state)
{
	int counts[TWO + 1] = {0}, expected;
	unsigned long long lost;

	(void)state;
	assert_int_equal(run(left), 0);
	count_events(counts, &expected, &lost);
	print_message("# %d events were left, %d of them are in the trace\n", expected / 2 - 1,
		      counts[ONE] - 1);
	assert_true(expected > 100);
	assert_int_equal(counts[TWO], expected);
	assert_in_range(counts[ONE], 1, expected / 2);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_delayed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_several, set_up, tear_down),
#if defined(__x86_64__) && !SLOW_BUILD
		cmocka_unit_test_setup_teardown(test_handlers_that_call, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_handlers_that_jump, set_up, tear_down),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
