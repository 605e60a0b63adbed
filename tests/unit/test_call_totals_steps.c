/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <ucontext.h>

#include "session/state.h"

#include "call_rows.h"

/*
 * The addition of a call is interrupted after each of its instructions: by a signal handler that
 * makes a call, that leaves it by longjmp, or that forks, and by a kill.
 */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#include <x86intrin.h>

enum { ONE = 7, TWO = 8, FAILURE = -36, DURATION = 10, TRAP = 1 << 8 /* of the flags register */ };
enum { AROUND = 60 /* instructions around an addition, at most */, FORKS = 2000 };

static struct call_rows rows;

static struct shared {
	_Atomic int steps;
	_Atomic int added;  /* calls of ONE */
	_Atomic int nested; /* calls of TWO that were added */
	_Atomic int lost;
	_Atomic int pid;
	_Atomic int passed; /* the parent's addition has ended */
} *shared;

/* Calls `handler` after each instruction of an addition. Returns what it returned. */
__attribute__((noinline)) static bool
step_through(void (*handler)(int number, siginfo_t *information, void *context))
{
	const struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	bool added;

	sigaction(SIGTRAP, &action, NULL);
	__writeeflags(__readeflags() | TRAP);
	added = add_call_of(ONE, 1, DURATION, FAILURE);
	__writeeflags(__readeflags() & ~(unsigned long long)TRAP);
	return added;
}

static void end(void)
{
	shared->lost = (int)globals.lost;
	kill(getpid(), SIGKILL);
}

/* No addition is in progress when the program ends. */
static void run_and_read(void (*program)(void))
{
	memset((void *)shared, 0, sizeof(*shared));
	assert_int_equal(run(program), -1);
	read_ring_rows(&rows, find_ring());
	assert_int_equal(rows.odd, 0);
}

/* Checks that each call of ONE is in its rows wholly or not at all. Returns their number. */
static int count_whole(void)
{
	const struct totals_buckets_row *one = call_row(&rows, TOTALS_FUNCTION, ONE, 0);
	const struct totals_row *failure = &call_row(&rows, TOTALS_FAILURE, ONE, FAILURE)->row;

	assert_int_equal(one->row.total, one->row.count * DURATION);
	assert_int_equal(one->row.failed, one->row.count);
	assert_int_equal(one->buckets[totals_bucket(DURATION)], one->row.count);
	assert_int_equal(failure->count, one->row.count);
	return (int)one->row.count;
}

static void call_in_handler(int number, siginfo_t *information, void *context)
{
	(void)number;
	(void)information;
	(void)context;
	shared->steps++;
	if (add_call_of(TWO, 1, 1, 0))
		shared->nested++;
}

/* The first addition makes the table and the rows. */
static void nest(void)
{
	start(totals_settings(true));
	for (int i = 0; i < 3; i++)
		shared->added += step_through(call_in_handler);
	end();
}

static void test_handlers_that_call(void **state)
{
	(void)state;
	run_and_read(nest);
	assert_int_equal(shared->added, 3);
	assert_int_equal(count_whole(), 3);
	assert_int_equal(call_row(&rows, TOTALS_FUNCTION, TWO, 0)->row.count, shared->nested);
	assert_int_equal(shared->lost, 0);
	print_message("# %d calls in handlers, %d of them added\n", shared->steps, shared->nested);
	assert_true(shared->nested > 0 && shared->nested < shared->steps);
}

static sigjmp_buf before;
static int step, wanted;

static void jump(int number, siginfo_t *information, void *context)
{
	(void)number;
	(void)information;
	(void)context;
	if (++step == wanted)
		siglongjmp(before, 1);
}

/* Returns true if the addition was left. */
static bool leave_one(void)
{
	step = 0;
	wanted++;
	if (sigsetjmp(before, 1))
		return true;
	step_through(jump);
	return false;
}

/* Leaves additions, each after another instruction, until one ends before. */
static void leave(void)
{
	bool left;

	start(totals_settings(true));
	shared->added = add_call_of(ONE, 1, DURATION, FAILURE);
	do {
		left = leave_one();
		shared->added += add_call_of(ONE, 1, DURATION, FAILURE);
		shared->steps++;
	} while (left);
	end();
}

static void test_handlers_that_jump(void **state)
{
	int whole;

	(void)state;
	run_and_read(leave);
	whole = count_whole();
	print_message("# %d jumps: %d calls added, %d left in the middle and lost\n", shared->steps,
		      whole, shared->lost);
	assert_int_equal(shared->added, shared->steps + 1);
	assert_in_range(whole, shared->added, shared->added + 1 + AROUND);
	assert_true(shared->lost > AROUND);
	assert_in_range(whole + shared->lost, 2 * shared->steps - AROUND,
			2 * shared->steps + AROUND);
}

static pid_t child;
static bool parent_first;

static void fork_in_handler(int number, siginfo_t *information, void *context)
{
	(void)number;
	(void)information;
	if (++step != wanted)
		return;
	/* No further steps, which would take long. */
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
	child = fork();
	if (child && !parent_first)
		waitpid(child, NULL, 0);
	while (!child && parent_first && !shared->passed)
		sched_yield();
}

/* Some of the children use their own session. */
static void end_child(void)
{
	if (wanted % 100 == 0 && !add_call_of(TWO, 1, 1, 0))
		kill(shared->pid, SIGTERM);
	_exit(0);
}

static void multiply(void)
{
	bool added;

	shared->pid = getpid();
	start(totals_settings(true));
	shared->added = add_call_of(ONE, 1, DURATION, FAILURE);
	do {
		child = -1;
		step = 0;
		wanted++;
		parent_first = wanted % 2;
		shared->passed = false;
		added = step_through(fork_in_handler);
		if (!child)
			end_child();
		shared->added += added;
		shared->passed = true;
		if (child > 0)
			waitpid(child, NULL, 0);
	} while (child > 0 && ++shared->steps < FORKS);
	end();
}

/* A child that goes on with its parent's addition changes nothing in the parent's ring file. */
static void test_handlers_that_fork(void **state)
{
	char path[64];

	(void)state;
	memset((void *)shared, 0, sizeof(*shared));
	assert_int_equal(run(multiply), -1);
	snprintf(path, sizeof(path), "computeprof-%d.ring", shared->pid);
	read_ring_rows(&rows, path);
	print_message("# %d forks\n", shared->steps);
	assert_in_range(shared->steps, 100, FORKS - 1);
	assert_int_equal(rows.odd, 0);
	assert_int_equal(count_whole(), shared->added);
	assert_int_equal(shared->added, shared->steps + 2);
}

enum { RING_LIMIT = 16 << 20 /* limit in bytes; the file grows during the test */, CALLS = 4 };

static void traced(void)
{
	start(totals_settings(true));
	launch(0, 0, FAKE_DONE);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	raise(SIGSTOP);
	for (int i = 0; i < CALLS; i++)
		shared->added += add_call_of(ONE, 1, DURATION, FAILURE);
	_exit(0);
}

static void test_kills(void **state)
{
	static char file[RING_LIMIT];
	const struct ringfile_header *header;
	uint64_t steps = 0, states = 0;
	int status, fd;
	pid_t program;

	(void)state;
	memset((void *)shared, 0, sizeof(*shared));
	program = fork();
	if (!program)
		traced();
	assert_int_equal(waitpid(program, &status, WUNTRACED), program);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_true(WIFSTOPPED(status));
	fd = open(find_ring(), O_RDONLY);
	header = mmap(NULL, RING_LIMIT, PROT_READ, MAP_SHARED, fd, 0);
	assert_true(header != MAP_FAILED);
	for (; WIFSTOPPED(status); steps++) {
		if (memcmp(header, file, header->end) != 0) {
			int added = shared->added, whole;

			memcpy(file, header, header->end);
			read_call_rows(&rows, file);
			whole = count_whole();
			assert_in_range(whole, added, added + 1);
			memcpy(file, header, header->end);
			states++;
		}
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, program, NULL, NULL), 0);
		assert_int_equal(waitpid(program, &status, 0), program);
	}
	assert_int_equal(status, 0);
	assert_int_equal(shared->added, CALLS);
	assert_int_equal(count_whole(), CALLS);
	print_message("# %llu instructions, %llu states\n", (unsigned long long)steps,
		      (unsigned long long)states);
	assert_true(states > 50); /* compilers may join stores */
	close(fd);
}

static int group_set_up(void **state)
{
	(void)state;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	return shared == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_handlers_that_call, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_handlers_that_jump, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_handlers_that_fork, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kills, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, group_set_up, NULL);
}
#else
/* The trap after each instruction is that of x86-64, and sanitizers add instructions that must not
 * be left in the middle. */
static void test_other_build(void **state)
{
	(void)state;
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_build)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
