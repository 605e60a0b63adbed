/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "session/state.h"
#include "session/thread.h"

#include "call_rows.h"

/* The totals of calls: programs that end without session_end, whose ring files are read. */

static struct call_rows rows;

/* Runs `program`, which ends itself by SIGKILL, and reads its ring file. */
static void run_and_read(void (*program)(void))
{
	assert_int_equal(run(program), -1);
	read_ring_rows(&rows, find_ring());
}

static void end(void)
{
	kill(getpid(), SIGKILL);
}

enum { ONE = 7, TWO = 8, FAILURE = -36 };

static void add_some(void)
{
	if (!add_call_of(ONE, 1000, 50, 0) || !add_call_of(ONE, 900, 20, FAILURE) ||
	    !add_call_of(TWO, 5000, 0, 0) || !add_call_of(ONE, 2000, 1000, 0) ||
	    !add_call_of(TWO, 6000, (uint64_t)-100, 0)) /* the clock went back */
		_exit(1);
	end();
}

static void some(void)
{
	start(totals_settings(false));
	add_some();
}

static void some_with_percentiles(void)
{
	start(totals_settings(true));
	add_some();
}

static void check_some(void)
{
	const struct totals_row *one = &call_row(&rows, TOTALS_FUNCTION, ONE, 0)->row;
	const struct totals_row *two = &call_row(&rows, TOTALS_FUNCTION, TWO, 0)->row;
	const struct totals_row *failure = &call_row(&rows, TOTALS_FAILURE, ONE, FAILURE)->row;

	assert_int_equal(rows.count, 3);
	assert_int_equal(rows.tables, 1);
	assert_int_equal(one->count, 3);
	assert_int_equal(one->total, 1070);
	assert_int_equal(one->shortest, 20);
	assert_int_equal(one->longest, 1000);
	assert_int_equal(one->first, 900);
	assert_int_equal(one->last, 3000);
	assert_int_equal(one->failed, 1);
	assert_int_equal(failure->count, 1);
	assert_int_equal(two->count, 2);
	assert_int_equal(two->total, 0);
	assert_int_equal(two->last, 6000);
	assert_int_equal(two->failed, 0);
}

static void test_sums(void **state)
{
	(void)state;
	run_and_read(some);
	check_some();
	assert_int_equal(call_row(&rows, TOTALS_FUNCTION, ONE, 0)->row.frame.size,
			 sizeof(struct totals_row));
}

static void test_percentiles(void **state)
{
	const struct totals_buckets_row *one, *failure;

	(void)state;
	run_and_read(some_with_percentiles);
	check_some();
	one = call_row(&rows, TOTALS_FUNCTION, ONE, 0);
	assert_int_equal(one->row.frame.size, sizeof(*one));
	assert_int_equal(one->buckets[totals_bucket(20)], 1);
	assert_int_equal(one->buckets[totals_bucket(50)], 1);
	assert_int_equal(one->buckets[totals_bucket(1000)], 1);
	assert_int_equal(call_row(&rows, TOTALS_FUNCTION, TWO, 0)->buckets[0], 2);
	failure = call_row(&rows, TOTALS_FAILURE, ONE, FAILURE);
	assert_int_equal(failure->row.frame.size, sizeof(struct totals_row));
}

/* Exits with the number of the first wrong answer. */
static void choose(void)
{
	struct settings *settings = totals_settings(false);

	start(settings);
	if (!add_call_of(ONE, 1, 1, 0))
		_exit(1);
	settings->trace = strdup("trace");
	if (session_change(API_OPENCL, settings, &fake_source) || add_call_of(ONE, 1, 1, 0))
		_exit(2);
	settings->trace_from_ranges = true;
	if (session_change(API_OPENCL, settings, &fake_source) || !add_call_of(ONE, 1, 1, 0))
		_exit(3);
	session_need_calls();
	if (add_call_of(ONE, 1, 1, 0))
		_exit(4);
	settings->trace = NULL;
	if (session_change(API_OPENCL, settings, &fake_source) || !add_call_of(ONE, 1, 1, 0))
		_exit(5);
	settings->api_calls = false;
	if (session_change(API_OPENCL, settings, &fake_source) || add_call_of(ONE, 1, 1, 0))
		_exit(6);
	settings->api_calls = true;
	settings->totals = false;
	if (session_change(API_OPENCL, settings, &fake_source) || add_call_of(ONE, 1, 1, 0))
		_exit(7);
	settings->totals = true;
	if (session_change(API_OPENCL, settings, &fake_source) || !add_call_of(ONE, 1, 1, 0))
		_exit(8);
	session_end();
	if (add_call_of(ONE, 1, 1, 0))
		_exit(9);
}

static void test_calls_that_need_an_event(void **state)
{
	(void)state;
	assert_int_equal(run(choose), 0);
}

/* "Not ready" is an answer, not a failure. */
static void ask(void)
{
	struct settings *settings = totals_settings(false);
	const struct call call = {.name = ONE, .result = 600, .api = API_CUDA};

	settings->layout.api = API_CUDA;
	if (session_attach(API_CUDA, settings, &fake_source) || !call_totals_add(&call))
		_exit(1);
	end();
}

static void test_not_ready(void **state)
{
	(void)state;
	run_and_read(ask);
	assert_int_equal(rows.count, 1);
	assert_int_equal(call_row(&rows, TOTALS_FUNCTION, ONE, 0)->row.failed, 1);
}

enum { MANY = 2000 };

/* Adds calls of more functions than a table has rows. */
static void add_many(void)
{
	unsigned added = 0;

	for (int again = 0; again < 2; again++)
		for (uint32_t i = 0; i < MANY; i++) {
			errno = 77;
			added += add_call_of(i, 1, 1, i % 2 ? 0 : FAILURE);
			if (errno != 77)
				_exit(1);
		}
	if (added % 2 || added < 500 || added >= MANY)
		_exit(1);
	end();
}

static void many(void)
{
	start(totals_settings(false));
	add_many();
}

static void many_with_percentiles(void)
{
	start(totals_settings(true));
	add_many();
}

/* A call of a function without a row is not added. */
static void check_many(void)
{
	unsigned failures = 0, functions = 0;

	for (unsigned i = 0; i < rows.count; i++) {
		const struct totals_row *row = &rows.rows[i].row;

		if (row->frame.flags == TOTALS_FUNCTION && row->count) {
			assert_int_equal(row->count, 2);
			assert_int_equal(row->failed, row->name % 2 ? 0 : 2);
			functions++;
		} else if (row->count) {
			assert_int_equal(row->count, 2);
			failures++;
		}
	}
	assert_true(functions > 500);
	assert_in_range(failures, functions / 2 - 1, functions / 2 + 1);
}

static void test_full_table(void **state)
{
	(void)state;
	run_and_read(many);
	check_many();
	clean_up();
	run_and_read(many_with_percentiles);
	check_many();
}

enum { THREADS = 4, LIVES = 10, EACH = 2000, FUNCTIONS = 40 };

static void *call_all(void *argument)
{
	uint32_t first = (uint32_t)(uintptr_t)argument;

	for (uint32_t i = 0; i < EACH; i++)
		if (!add_call_of((first + i) % FUNCTIONS + 1, i, 10, 0))
			_exit(1);
	return NULL;
}

/* Many threads, of which few run at a time. */
static void threads(void)
{
	pthread_t thread[THREADS];

	start(totals_settings(false));
	for (int life = 0; life < LIVES; life++) {
		for (uintptr_t i = 0; i < THREADS; i++)
			if (pthread_create(&thread[i], NULL, call_all, (void *)(i * 3)))
				_exit(2);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	}
	end();
}

static void test_threads(void **state)
{
	(void)state;
	run_and_read(threads);
	assert_in_range(rows.tables, 1, THREADS);
	assert_int_equal(rows.count, FUNCTIONS);
	for (uint32_t i = 1; i <= FUNCTIONS; i++) {
		const struct totals_row *row = &call_row(&rows, TOTALS_FUNCTION, i, 0)->row;

		assert_int_equal(row->count, THREADS * LIVES * EACH / FUNCTIONS);
		assert_int_equal(row->total, row->count * 10);
	}
}

static sem_t taken;

static void *take_over(void *unused)
{
	(void)unused;
	if (!add_call_of(TWO, 1, 1, 0))
		_exit(1);
	sem_post(&taken);
	pause();
	return NULL;
}

/* Runs after the library's destructor, which has given back the thread's ring. */
static void call_last(void *unused)
{
	pthread_t thread;

	(void)unused;
	if (pthread_create(&thread, NULL, take_over, NULL))
		_exit(1);
	sem_wait(&taken);
	if (!add_call_of(ONE, 1, 1, 0))
		_exit(1);
	end();
}

static void *call_and_leave(void *key)
{
	if (!add_call_of(ONE, 1, 1, 0) || pthread_setspecific(*(pthread_key_t *)key, key))
		_exit(1);
	return NULL;
}

static void last_call(void)
{
	pthread_t thread;
	pthread_key_t key;

	start(totals_settings(false));
	sem_init(&taken, 0, 0);
	if (pthread_key_create(&key, call_last) ||
	    pthread_create(&thread, NULL, call_and_leave, &key))
		_exit(1);
	pthread_join(thread, NULL);
}

/* While a thread ends, its ring and table may be another thread's already. */
static void test_call_at_the_end_of_a_thread(void **state)
{
	(void)state;
	run_and_read(last_call);
	assert_int_equal(rows.tables, 2);
	assert_int_equal(call_row(&rows, TOTALS_FUNCTION, ONE, 0)->row.count, 2);
	assert_int_equal(call_row(&rows, TOTALS_FUNCTION, TWO, 0)->row.count, 1);
}

/* Child and grandchild have tables of their own. */
static void forks(void)
{
	start(totals_settings(false));
	for (int generation = 0; generation < 3; generation++) {
		for (int i = 0; i <= generation; i++)
			if (!add_call_of(ONE, 1, 1, 0))
				_exit(1);
		if (generation < 2 && fork()) {
			wait(NULL);
			if (!add_call_of(TWO, 1, 1, 0))
				_exit(1);
			end();
		}
	}
	end();
}

static void test_forks(void **state)
{
	unsigned seen[4] = {0};
	glob_t found;

	(void)state;
#ifdef __SANITIZE_THREAD__
	skip(); /* the sanitizer ends a child that starts a thread */
#endif
	assert_int_equal(run(forks), -1);
	assert_int_equal(glob("computeprof-*.ring", 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 3);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		uint64_t ones;

		read_ring_rows(&rows, found.gl_pathv[i]);
		ones = call_row(&rows, TOTALS_FUNCTION, ONE, 0)->row.count;
		assert_in_range(ones, 1, 3);
		seen[ones]++;
		assert_int_equal(call_row(&rows, TOTALS_FUNCTION, TWO, 0)->row.count, ones < 3);
	}
	globfree(&found);
	assert_true(seen[1] == 1 && seen[2] == 1 && seen[3] == 1);
}

/* The progress of a program that is killed, as far as it could store it. */
static struct progress {
	_Atomic uint64_t begun[THREADS];
	_Atomic uint64_t added[THREADS];
	_Atomic uint64_t interrupted; /* calls in handlers of signals */
	_Atomic uint64_t refused;     /* of these, in the middle of an addition */
	_Atomic uint64_t lost;
} *progress;

enum { HANDLERS = 100 /* the name of their function */ };

static void on_alarm(int number)
{
	(void)number;
	if (add_call_of(HANDLERS, 1, 1, 0))
		progress->interrupted++;
	else
		progress->refused++;
}

static void *call_for_ever(void *argument)
{
	uintptr_t thread = (uintptr_t)argument;

	for (;;) {
		progress->begun[thread]++;
		if (!add_call_of((uint32_t)thread + 1, 1, 10, FAILURE))
			_exit(1);
		progress->added[thread]++;
	}
	return NULL;
}

static void busy(void)
{
	const struct itimerval often = {.it_interval.tv_usec = 50, .it_value.tv_usec = 50};
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	pthread_t thread;

	start(totals_settings(true));
	for (uintptr_t i = 1; i < THREADS; i++)
		if (pthread_create(&thread, NULL, call_for_ever, (void *)i))
			_exit(1);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	call_for_ever(NULL);
}

static void check_progress(void)
{
	for (uint32_t i = 0; i < THREADS; i++) {
		const struct totals_buckets_row *row = call_row(&rows, TOTALS_FUNCTION, i + 1, 0);
		const struct totals_row *failures =
			&call_row(&rows, TOTALS_FAILURE, i + 1, FAILURE)->row;

		assert_in_range(row->row.count, progress->added[i], progress->begun[i]);
		assert_int_equal(row->row.total, row->row.count * 10);
		assert_int_equal(row->buckets[totals_bucket(10)], row->row.count);
		assert_int_equal(row->row.failed, row->row.count);
		assert_int_equal(failures->count, row->row.count);
	}
	assert_in_range(call_row(&rows, TOTALS_FUNCTION, HANDLERS, 0)->row.count,
			progress->interrupted, progress->interrupted + 1);
}

static void test_kills(void **state)
{
	int kills = SLOW_BUILD ? 5 : 20;
	uint64_t interrupted = 0, refused = 0;

	(void)state;
	for (int i = 0; i < kills; i++) {
		pid_t child;

		memset((void *)progress, 0, sizeof(*progress));
		child = fork();
		if (!child)
			busy();
		while (!progress->added[0])
			usleep(1000);
		usleep((useconds_t)random() % 20000);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		read_ring_rows(&rows, find_ring());
		check_progress();
		interrupted += progress->interrupted;
		refused += progress->refused;
		clean_up();
	}
	print_message("# %llu calls of signal handlers, and %llu during an addition\n",
		      (unsigned long long)interrupted, (unsigned long long)refused);
	assert_true(interrupted > 0);
}

static int group_set_up(void **state)
{
	(void)state;
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	return progress == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_percentiles, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_calls_that_need_an_event, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_not_ready, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_table, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_call_at_the_end_of_a_thread, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_forks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kills, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, group_set_up, NULL);
}
