/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "emulator.h"
#include "profiled_program.h"

#include "forged_ringfile.h"

/* Ring files of unknown origin: made by hand, unpacked, copied, of another boot. Files that they
 * name must not be changed. */

static void make_home(void)
{
	assert_int_equal(mkdir("home", 0777) | mkdir("archive", 0777), 0);
	put_bytes("home/.bashrc", startup, strlen(startup));
}

/* The ring of an archive names a file of the user: neither hash matches. */
static void test_names_a_file(void **state)
{
	struct forgery forgery;

	(void)state;
	make_home();
	forgery = of_file("home/.bashrc");
	forge("archive/computeprof-1.ring", &forgery);
	assert_int_equal(recover("archive/computeprof-1.ring"), RECOVER_FOREIGN);
	expect_bytes("home/.bashrc", startup);
	assert_int_equal(access("archive/computeprof-1.ring", F_OK), 0);
}

/* Even a proven ring that has the file's identity: without a commit the file is not its log. */
static void test_proves_nothing(void **state)
{
	struct forgery forgery;

	(void)state;
	make_home();
	forgery = of_file("home/.bashrc");
	for (uint64_t head = 0; head < 2; head++) {
		forgery.head_size = head ? 5 : 0;
		forge("archive/computeprof-1.ring", &forgery);
		prove("archive/computeprof-1.ring");
		recover("archive/computeprof-1.ring");
		expect_bytes("home/.bashrc", startup);
		if (system("rm -f archive/* home/.bashrc?* home/.[0-9]*"))
			fail();
	}
}

/* It names a missing file. */
static void test_names_no_file(void **state)
{
	struct forgery forgery;

	(void)state;
	make_home();
	forgery = of_file("home/.bash_login");
	for (int only = 0; only < 2; only++) {
		forgery.rules_only = only;
		forge("archive/computeprof-1.ring", &forgery);
		assert_int_equal(recover("archive/computeprof-1.ring"), RECOVER_FOREIGN);
		assert_int_equal(access("home/.bash_login", F_OK), -1);
	}
}

/* If the user names it, it is recovered, but only into new files beside it, and not into one that a
 * shell reads. */
static void test_named(void **state)
{
	struct forgery forgery;
	bool copied;

	(void)state;
	make_home();
	forgery = of_file("home/.bash_login");
	forge("archive/computeprof-1.ring", &forgery);
	assert_int_equal(recover_named("archive/computeprof-1.ring", NULL, &copied), RECOVER_DONE);
	assert_true(copied);
	assert_int_equal(access("home/.bash_login", F_OK), -1);
	assert_int_equal(access("archive/.bash_login", F_OK), -1);
	assert_int_equal(access("archive/_bash_login", F_OK), 0);
	assert_int_equal(access("archive/computeprof-1.ring", F_OK), 0);
	/* Again: existing files are unchanged. */
	put_bytes("archive/_bash_login", startup, strlen(startup));
	assert_int_equal(recover_named("archive/computeprof-1.ring", NULL, &copied), RECOVER_DONE);
	expect_bytes("archive/_bash_login", startup);
	/* And into another directory on request. */
	assert_int_equal(recover_named("archive/computeprof-1.ring", "home", &copied),
			 RECOVER_DONE);
	assert_int_equal(access("home/_bash_login", F_OK), 0);
}

/* A symbolic link in place of the new file is not followed, and the environment is not used. */
static void test_named_badly(void **state)
{
	struct forgery forgery;
	bool copied;

	(void)state;
	make_home();
	setenv("SECRET", "secret", 1);
	forgery = of_file("home/log%q{SECRET}%d");
	forge("archive/computeprof-1.ring", &forgery);
	assert_int_equal(symlink("../home/planted", "archive/log_q{SECRET}0"), 0);
	assert_int_equal(recover_named("archive/computeprof-1.ring", NULL, &copied), RECOVER_DONE);
	assert_int_equal(access("home/planted", F_OK), -1);
	assert_int_equal(access("archive/log_q{SECRET}0.1", F_OK), 0);
}

static void killed(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	usleep(60000);
	for (uint64_t i = 20; i < 40; i++)
		launch(1, i, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

/* The log was replaced by a link to another file. */
static void test_link(void **state)
{
	(void)state;
	make_home();
	assert_int_equal(run(killed), -1);
	assert_int_equal(unlink("log") | symlink("home/.bashrc", "log"), 0);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	expect_bytes("home/.bashrc", startup);
}

/* The log was replaced by a copy of itself: equal contents, but another file. */
static void test_copied_log(void **state)
{
	char *before, *after;
	size_t size;

	(void)state;
	assert_int_equal(run(killed), -1);
	assert_int_equal(system("cp log copy && mv copy log"), 0);
	before = read_file("log", &size);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	after = read_file("log", &size);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

/* The new log has all rows of the killed run that are in no log yet. */
static void check_new(const char *path)
{
	struct rows rows;

	assert_int_equal(read_rows(path, &rows, 40), 0);
	assert_int_equal(wrong_counts(&rows, 20, 40), 0);
	free(rows.seen);
}

static void test_unpacked(void **state)
{
	size_t size = 0;
	char *before, *after;
	bool copied;

	(void)state;
	assert_int_equal(run(killed), -1);
	assert_int_equal(system("mkdir other && tar cf ring.tar computeprof-*.ring && "
				"tar xf ring.tar -C other && rm computeprof-*.ring"), 0);
	before = read_file("log", &size);
	assert_int_equal(chdir("other"), 0);
	assert_int_equal(recover(find_ring()), RECOVER_FOREIGN);
	assert_int_equal(count_files("log"), 0);
	assert_int_equal(recover_named(find_ring(), NULL, &copied), RECOVER_DONE);
	assert_true(copied);
	check_new("log");
	assert_int_equal(chdir(".."), 0);
	after = read_file("log", &size);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

/* After a reboot the log may have any contents. */
static void test_another_boot(void **state)
{
	char ring[256];
	bool copied;
	int fd;

	(void)state;
	assert_int_equal(run(killed), -1);
	strcpy(ring, find_ring());
	fd = open(ring, O_RDWR);
	assert_int_equal(pwrite(fd, "another boot....", BOOT_ID,
				offsetof(struct ringfile_header, boot)), BOOT_ID);
	close(fd);
	assert_int_equal(recover(ring), RECOVER_FOREIGN);
	assert_int_equal(recover_named(ring, NULL, &copied), RECOVER_DONE);
	assert_true(copied);
	assert_int_equal(count_files("log[.].*"), 1);
	assert_int_equal(system("mv log.* new"), 0);
	check_new("new");
}

/* A proven ring file can also be recovered into another directory, without changing the files that
 * it names. */
static void test_into(void **state)
{
	struct rows rows;
	size_t size = 0;
	char *before, *after;
	bool copied;

	(void)state;
	assert_int_equal(run(killed), -1);
	before = read_file("log", &size);
	assert_int_equal(mkdir("elsewhere", 0777), 0);
	assert_int_equal(recover_named(find_ring(), "elsewhere", &copied), RECOVER_DONE);
	check_new("elsewhere/log");
	after = read_file("log", &size);
	assert_string_equal(before, after);
	free(before);
	free(after);
	assert_int_equal(recover_named(find_ring(), NULL, &copied), RECOVER_DONE);
	assert_false(copied);
	assert_int_equal(read_rows("log", &rows, 40), 0);
	assert_int_equal(wrong_counts(&rows, 0, 40), 0);
	free(rows.seen);
}

static void killed_early(void)
{
	char log[128];

	snprintf(log, sizeof(log), "%s/run/sub/log", directory);
	start(new_settings(API_OPENCL, log));
	launch(1, 0, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

/* The directory has been replaced by another user's link. */
static void test_diverted(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	make_home();
	assert_int_equal(system("mkdir -p run/sub"), 0);
	assert_int_equal(run(killed_early), -1);
	assert_int_equal(system("mv run/sub/*.ring . && rm -f run/sub/log && rmdir run/sub && "
				"ln -s ../home run/sub && chown -h 65534 run/sub"), 0);
	assert_int_equal(recover(find_ring()), RECOVER_FAILED);
	assert_int_equal(access("home/log", F_OK), -1);
	assert_int_equal(access(find_ring(), F_OK), 0);
	assert_int_equal(lchown("run/sub", geteuid(), getegid()), 0);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(access("home/log", F_OK), 0);
}

static void test_older_version(void **state)
{
	struct recover_report report = {0};
	struct forgery forgery = of_file("log");
	uint32_t version = RINGFILE_VERSION - 1;
	int fd;

	(void)state;
	forge("computeprof-1.ring", &forgery);
	fd = open("computeprof-1.ring", O_RDWR);
	assert_int_equal(pwrite(fd, &version, 4, offsetof(struct ringfile_header, version)), 4);
	close(fd);
	assert_int_equal(recover_ring("computeprof-1.ring", &report), RECOVER_FOREIGN);
	assert_non_null(strstr(strbuf_text(&report.reason), "older version"));
	recover_report_free(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names_a_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_proves_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names_no_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_named_badly, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_copied_log, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unpacked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_another_boot, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_into, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_diverted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_older_version, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
