/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "profiled_program.h"

/*
 * Many records in one run, COMPUTEPROF_RECORDS or a million: each is written or reported as lost,
 * and the program does not grow. The log is a FIFO, whose reader counts the rows.
 */
enum { THREADS = 2, WARM = 50000, GROWTH = 16 << 10 /* KiB */, STEP = 1 << 16 };

struct sizes {
	_Atomic uint64_t warm; /* threads that are past their first records */
	_Atomic int standing, done; /* a thread in the middle of its call, and the others' work */
	long before, after; /* KiB, the largest so far */
};

static struct sizes *sizes;
static uint64_t wanted, threads, each; /* records of a thread */
static uint64_t warm; /* records after which the program must not grow any more */
static bool beside; /* a call of another thread is entered before and returns after all others */

static long largest(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_maxrss;
}

static void *launch_all(void *argument)
{
	uint64_t thread = (uintptr_t)argument;

	for (uint64_t i = 0; i < each; i++) {
		launch((uint32_t)thread, thread * each + i, FAKE_DONE);
		if (i == warm && ++sizes->warm == threads)
			sizes->before = largest();
	}
	return NULL;
}

static void *stand_still(void *argument)
{
	struct probe probe;

	probe_begin(&probe);
	sizes->standing = 1;
	while (!sizes->done)
		usleep(1000);
	launched(&probe, 0, 0, threads * each, FAKE_DONE);
	return argument;
}

static void busy(void)
{
	pthread_t others[THREADS], standing;

	start(new_settings(API_OPENCL, "log"));
	if (beside && pthread_create(&standing, NULL, stand_still, NULL))
		_exit(1);
	while (beside && !sizes->standing)
		usleep(1000);
	for (uintptr_t i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, launch_all, (void *)i))
			_exit(1);
	launch_all(NULL);
	for (uint64_t i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	sizes->done = 1;
	if (beside)
		pthread_join(standing, NULL);
	session_stop();
	sizes->after = largest();
	session_end();
}

struct counted {
	uint64_t rows;
	uint64_t sum; /* of the serial numbers */
};

static void count_line(struct counted *counted, const char *line, const char *end)
{
	static const char key[] = " memtransfersize=[ ";
	const char *at = memmem(line, (size_t)(end - line), key, sizeof(key) - 1);
	uint64_t serial = 0;

	if (!at)
		return;
	for (at += sizeof(key) - 1; at < end && *at >= '0' && *at <= '9'; at++)
		serial = serial * 10 + (uint64_t)(*at - '0');
	counted->rows++;
	counted->sum += serial;
}

static struct counted read_log(int fd)
{
	static char bytes[2 * STEP];
	struct counted counted = {0};
	size_t kept = 0;
	ssize_t size;

	while ((size = read(fd, bytes + kept, STEP)) > 0) {
		const char *line = bytes, *end = bytes + kept + size, *next;

		for (; (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1)
			count_line(&counted, line, next);
		kept = (size_t)(end - line);
		memmove(bytes, line, kept);
	}
	return counted;
}

static uint64_t read_lost(void)
{
	unsigned long long lost = 0;
	size_t size;
	char *said = read_file("said", &size);
	const char *at = said ? strstr(said, " records were lost") : NULL;

	while (at && at > said && at[-1] != ' ')
		at--;
	if (at)
		lost = strtoull(at, NULL, 10);
	free(said);
	return lost;
}

/* Returns the growth of the program in KiB. */
static long volume(void)
{
	struct counted counted;
	uint64_t all, lost;
	int fd, status;
	pid_t child;

	each = wanted / threads;
	sizes->warm = 0;
	sizes->done = 0;
	assert_int_equal(mkfifo("log", 0600), 0);
	fd = open("log", O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	child = fork();
	if (!child) {
		close(fd);
		if (!freopen("said", "a", stderr))
			_exit(1);
		busy();
		_exit(0);
	}
	poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
	assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
	counted = read_log(fd);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	lost = read_lost();
	all = threads * each + beside;
	print_message("# %llu records, %llu lost; %ld KiB, then %ld KiB\n",
		      (unsigned long long)counted.rows, (unsigned long long)lost, sizes->before,
		      sizes->after);
	assert_int_equal(counted.rows + lost, all);
	if (!lost)
		assert_int_equal(counted.sum, all * (all - 1) / 2);
	assert_in_range(sizes->before, 1, sizes->after);
	close(fd);
	return SLOW_BUILD ? 0 : sizes->after - sizes->before;
}

static void test_one_thread(void **state)
{
	(void)state;
	threads = 1;
	assert_in_range(volume(), 0, GROWTH);
}

static void test_two_threads(void **state)
{
	(void)state;
	threads = 2;
	assert_in_range(volume(), 0, GROWTH);
}

/* Later records wait for the row of the call, but the number of places is limited. */
static void test_beside_a_call(void **state)
{
	(void)state;
	threads = 1;
	warm = 1000;
	beside = true;
	assert_in_range(volume(), 0, GROWTH);
}

static int group_set_up(void **state)
{
	const char *records = getenv("COMPUTEPROF_RECORDS");

	(void)state;
	warm = WARM;
	wanted = records ? strtoull(records, NULL, 10) : 1000000;
	sizes = mmap(NULL, sizeof(*sizes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	return sizes == MAP_FAILED || wanted <= THREADS * WARM ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_thread, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_two_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_beside_a_call, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, group_set_up, NULL);
}
