/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "emulator.h"
#include "scratch.h"
#include "session/ringfile.h"

enum { LARGE = 64 << 10 /* bytes of a page */ };

static struct ringfile ringfile;
static char beside[4096]; /* expected path of the ring file */

static long page; /* size of a page that the library sees; 0: the system's */

long sysconf(int name)
{
	static long (*real)(int name);

	if (name == _SC_PAGESIZE && page)
		return page;
	if (!real)
		real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
	return real(name);
}

static void create(const char *expected)
{
	assert_int_equal(ringfile_create(&ringfile, "a.log", RING_BESIDE_LOG), 0);
	assert_string_equal(ringfile.path, expected);
}

static void drop(void)
{
	ringfile_unlink(&ringfile);
	ringfile_free(&ringfile);
}

/* `number` 0: the first name that is tried. */
static void name_it(const char *folder, int number)
{
	char tag[16] = "";

	if (number)
		snprintf(tag, sizeof(tag), "-%d", number);
	snprintf(beside, sizeof(beside), "%s/computeprof-%d%s.ring", folder, (int)getpid(), tag);
}

/* Other users cannot read it, with any umask. */
static void test_rights(void **state)
{
	mode_t mask = umask(0);
	struct stat status;

	(void)state;
	name_it(".", 0);
	create(beside);
	umask(mask);
	assert_int_equal(lstat(beside, &status), 0);
	assert_int_equal(status.st_mode, S_IFREG | 0600);
	assert_int_equal(status.st_size, RINGFILE_PAGE);
	drop();
	assert_int_equal(lstat(beside, &status), -1);
}

/* The header distinguishes this file from a copy, from another user's and from one of another
 * boot. */
static void test_identity(void **state)
{
	uint8_t boot[BOOT_ID], unknown[BOOT_ID] = {0};
	struct stat status;

	(void)state;
	name_it(".", 0);
	create(beside);
	boot_id_read(boot);
	assert_int_equal(lstat(beside, &status), 0);
	assert_int_equal(ringfile.header->version, RINGFILE_VERSION);
	assert_int_equal(ringfile.header->file_device, status.st_dev);
	assert_int_equal(ringfile.header->file_inode, status.st_ino);
	assert_int_equal(ringfile.header->file_born, identity_file_created(ringfile.file.fd));
	assert_int_equal(ringfile.header->owner, geteuid());
	assert_memory_equal(ringfile.header->boot, boot, sizeof(boot));
	assert_memory_not_equal(boot, unknown, sizeof(boot));
	assert_int_equal(ringfile.header->process_start,
			 identity_process_start((uint32_t)getpid()));
	drop();
}

/* An existing file of that name is unchanged. */
static void test_planted(void **state)
{
	(void)state;
	fill("victim", "precious\n");
	name_it(".", 0);
	assert_int_equal(symlink("victim", beside), 0);
	name_it(".", 1);
	fill(beside, "planted\n");
	name_it(".", 2);
	create(beside);
	drop();
	expect("victim", "precious\n");
	name_it(".", 1);
	expect(beside, "planted\n");
}

/* The same in /dev/shm, where all users may create files. */
static void test_planted_in_memory(void **state)
{
	(void)state;
	fill("victim", "precious\n");
	name_it("/dev/shm", 0);
	assert_int_equal(symlink("victim", beside), 0);
	assert_int_equal(ringfile_create(&ringfile, "a.log", RING_IN_MEMORY), 0);
	unlink(beside);
	name_it("/dev/shm", 1);
	assert_string_equal(ringfile.path, beside);
	drop();
	expect("victim", "precious\n");
	assert_int_equal(access(beside, F_OK), -1);
}

/* If there is no room for a file beside the log, it is made elsewhere. */
static void test_elsewhere(void **state)
{
	(void)state;
	name_it(".", 0);
	fill(beside, "");
	for (int i = 1; i < 100; i++) {
		name_it(".", i);
		fill(beside, "");
	}
	name_it("/dev/shm", 0);
	create(beside);
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_RING, RINGFILE_PAGE));
	assert_int_equal(ringfile.header->end, 2 * sysconf(_SC_PAGESIZE));
	drop();
}

/* Checks the segment at *at in the file, and adds its size. */
static void expect_segment(uint64_t *at, enum segment_kind kind, uint64_t size)
{
	struct segment segment = {0};

	assert_int_equal(pread(ringfile.file.fd, &segment, sizeof(segment), (off_t)*at),
			 sizeof(segment));
	assert_int_equal(segment.magic, SEGMENT_MAGIC);
	assert_int_equal(segment.kind, kind);
	assert_int_equal(segment.size, size);
	*at += size;
}

/* Segments are mapped, and a mapping begins at a page: also in a file that was made with smaller
 * pages. */
static void test_large_pages(void **state)
{
	uint64_t at = RINGFILE_PAGE;
	struct strbuf frames = STRBUF_INIT;

	(void)state;
	name_it(".", 0);
	page = LARGE;
	create(beside);
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_RING, RINGFILE_SEGMENT / 8));
	strbuf_append(&frames, "12345678", 8);
	assert_non_null(ringfile_frames(&ringfile, &frames));
	strbuf_free(&frames);
	expect_segment(&at, SEGMENT_FILLER, LARGE - RINGFILE_PAGE);
	expect_segment(&at, SEGMENT_RING, LARGE);
	expect_segment(&at, SEGMENT_FRAMES, RINGFILE_SEGMENT);
	page = RINGFILE_PAGE;
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_PENDING, RINGFILE_PAGE));
	expect_segment(&at, SEGMENT_PENDING, RINGFILE_PAGE);
	page = LARGE;
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_PENDING, RINGFILE_PAGE));
	expect_segment(&at, SEGMENT_FILLER, LARGE - RINGFILE_PAGE);
	expect_segment(&at, SEGMENT_PENDING, LARGE);
	assert_int_equal(ringfile.header->end, at);
	drop();
}

/* The kernel rounds the end of a hole up: a page that is needed in part stays. */
static void test_holes(void **state)
{
	char *segment;

	(void)state;
	name_it(".", 0);
	page = LARGE;
	create(beside);
	segment = (char *)ringfile_segment(&ringfile, SEGMENT_FRAMES, 4 * LARGE);
	assert_non_null(segment);
	memset(segment + sizeof(struct segment), 1, 4 * LARGE - sizeof(struct segment));
	ringfile_make_hole(segment, sizeof(struct segment), 3 * LARGE - 1);
	assert_int_equal(segment[LARGE - 1], 1);
	assert_int_equal(segment[2 * LARGE], 1);
	ringfile_make_hole(segment, 3 * LARGE + 1, 4 * LARGE);
	assert_int_equal(segment[3 * LARGE], 1);
	assert_int_equal(segment[4 * LARGE - 1], 1);
	skip_emulated("there are no holes");
	assert_int_equal(segment[LARGE], 0);
	assert_int_equal(segment[2 * LARGE - 1], 0);
	drop();
}

static int relent(void **state)
{
	page = 0;
	return tear_down(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rights, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_identity, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_planted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_planted_in_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_elsewhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_large_pages, set_up, relent),
		cmocka_unit_test_setup_teardown(test_holes, set_up, relent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
