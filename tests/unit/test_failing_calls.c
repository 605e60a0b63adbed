/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <cmocka.h>

#include "model/counter.h"
#include "session/pending.h"
#include "settings/config.h"
#include "settings/configfile.h"
#include "settings/filename.h"
#include "settings/options.h"

#include "failing_calls.h"
#include "records.h"
#include "stderr_capture.h"

/* All modules without memory and with files that cannot be read. */

static char path[] = "/tmp/test_refused.XXXXXX";
static struct settings settings;
static const char *heard; /* the messages on stderr */

static void write_file(const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void load(const char *text)
{
	write_file(text);
	settings_free(&settings);
	settings = (struct settings){.layout.api = API_CUDA};
	listen_now();
	config_load(&settings, path);
	heard = hear();
}

static void test_text(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	refuse_all[CALL_mmap] = true;
	assert_string_equal(strbuf_text(&text), "");
	assert_true(text.failed);
	text.failed = false;
	strbuf_printf(&text, "%d", 5);
	assert_true(text.failed);
	refuse_all[CALL_mmap] = false;
	strbuf_printf(&text, "%d", 5);
	assert_string_equal(strbuf_text(&text), "5");
	text.failed = false;
	/* An invalid character in this locale: the C library cannot compute its length. */
	strbuf_printf(&text, "%lc", (wint_t)0x7fffffff);
	assert_true(text.failed);
	assert_string_equal(strbuf_text(&text), "5");
	strbuf_free(&text);
}

static void test_choices(void **state)
{
	struct counter_choices choices = {0};

	(void)state;
	refuse[CALL_realloc] = 1;
	assert_null(counter_requests_add(&choices, "one", -1));
	refuse[CALL_strdup] = 1;
	assert_null(counter_requests_add(&choices, "one", -1));
	assert_int_equal(choices.count, 0);
	assert_non_null(counter_requests_add(&choices, "one", -1));
	assert_int_equal(choices.count, 1);
	counter_requests_free(&choices);
}

/* Returns config_read's result for a file with this text. */
static const char *reason(const char *text)
{
	static char said[128];
	struct strbuf bytes = STRBUF_INIT;
	const char *wrong;

	write_file(text);
	wrong = config_read(&bytes, path);
	snprintf(said, sizeof(said), "%s", wrong ? wrong : "");
	if (!wrong)
		assert_string_equal(strbuf_text(&bytes), text);
	strbuf_free(&bytes);
	return said;
}

static void test_file(void **state)
{
	char long_path[5000];
	struct strbuf bytes = STRBUF_INIT;

	(void)state;
	assert_string_equal(reason("streamid\n"), "");
	assert_string_equal(reason(""), "");
	refuse[CALL_mmap] = 1;
	assert_string_equal(reason("streamid\n"), "out of memory");
	refuse[CALL_fstat] = 1;
	assert_string_equal(reason("streamid\n"), strerror(EIO));
	refuse[CALL_read] = 1;
	assert_string_equal(reason("streamid\n"), strerror(EIO));
	refuse[CALL_read] = 1;
	read_error = EINTR;
	assert_string_equal(reason("streamid\n"), "");
	/* It grows while it is read. */
	assert_int_equal(truncate(path, CONFIG_SIZE_LIMIT + 1), 0);
	hide_size = true;
	assert_string_equal(config_read(&bytes, path), "it is larger than 1 MiB");
	strbuf_free(&bytes);
	unlink(path);
	assert_string_equal(config_read(&bytes, path), strerror(ENOENT));
	memset(long_path, 'a', sizeof(long_path) - 1);
	long_path[sizeof(long_path) - 1] = '\0';
	assert_string_equal(config_read(&bytes, long_path), strerror(ENAMETOOLONG));
}

static void test_found(void **state)
{
	char *found;

	(void)state;
	refuse_all[CALL_malloc] = true;
	errno = 0;
	found = config_find("no-such-file-in-here");
	refuse_all[CALL_malloc] = false;
	assert_null(found);
	assert_int_equal(errno, ENOMEM);
	errno = 0;
	assert_null(config_find("no-such-file-in-here"));
	assert_int_equal(errno, ENOENT);
	write_file("");
	refuse[CALL_strdup] = 1;
	assert_null(config_find(path));
	found = config_find(path);
	assert_string_equal(found, path);
	free(found);
}

static void test_options(void **state)
{
	const struct option_row *log = option_find("output", "log");
	const struct option_row *filter = option_find("filter", "kernel");

	(void)state;
	assert_null(option_set(log, &settings, "first"));
	refuse[CALL_strdup] = 1;
	assert_string_equal(option_set(log, &settings, "second"),
			    "must fit into the available memory");
	assert_string_equal(settings.log, "first");
	assert_null(option_set(filter, &settings, "^f"));
	refuse[CALL_malloc] = 1;
	assert_string_equal(option_set(filter, &settings, "^g"),
			    "must fit into the available memory");
	refuse[CALL_strdup] = 1;
	assert_string_equal(option_set(filter, &settings, "^g"),
			    "must fit into the available memory");
	assert_string_equal(settings.kernel_filter, "^f");
	assert_true(settings_logs_kernel(&settings, "f"));
	assert_false(settings_logs_kernel(&settings, "g"));
}

static void test_definitions(void **state)
{
	static const char text[] =
		"mine\n[counter mine]\nmetric = sm__cycles_active.sum\nhelp = words\n";

	(void)state;
	load(text);
	assert_string_equal(heard, "");
	assert_int_equal(settings.counters.count, 1);
	assert_string_equal(settings.counters.items[0].metric, "sm__cycles_active.sum");
	refuse[CALL_realloc] = 1;
	load(text);
	assert_non_null(strstr(heard, "[counter mine]: out of memory"));
	assert_int_equal(settings.counters.count, 0);
	/* The first two are for the file's path, the third for the metric. */
	refuse[CALL_malloc] = 3;
	load(text);
	assert_non_null(strstr(heard, "[counter mine] has neither metric nor event"));
	assert_null(settings.counters.items[0].metric);
}

static void test_no_log(void **state)
{
	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	refuse[CALL_strdup] = 1;
	settings_free(&settings);
	settings_load(&settings, API_CUDA);
	assert_false(settings.enabled);
	settings_free(&settings);
	settings_load(&settings, API_CUDA);
	assert_true(settings.enabled);
	unsetenv("COMPUTE_PROFILE");
}

static void test_host(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	refuse[CALL_gethostname] = 1;
	filename_expand(&text, "a%hb", 0, 1);
	assert_string_equal(strbuf_text(&text), "ab");
	strbuf_free(&text);
}

/* Rows are written completely or not at all. */
static void test_rows(void **state)
{
	struct record named = with_name("f", 1);

	(void)state;
	for (int format = 0; format < FORMAT_COUNT; format++) {
		struct output_target target =
			make_target(API_CUDA, DIALECT_CLASSIC, (enum format)format, EVERY_COLUMN);
		struct strbuf text = STRBUF_INIT;

		refuse_all[CALL_mmap] = true;
		output_formats[format]->open(&target, &text);
		output_formats[format]->write(&target, &named, &text);
		refuse_all[CALL_mmap] = false;
		assert_true(text.failed);
		assert_int_equal(text.length, 0);
		assert_null(text.data);
	}
}

static uint32_t add(struct pending *pending, struct ringfile *ringfile, uint32_t values)
{
	static struct counted_record counted;

	counted.record.frame.size = sizeof(struct record);
	if (values)
		counted_record_set(&counted, 0, values);
	return pending_add(pending, ringfile, &counted.record);
}

static void test_pending(void **state)
{
	const struct frame event = {.size = sizeof(event)};
	struct pending *pending = calloc(1, sizeof(*pending));
	struct ringfile *ringfile = calloc(1, sizeof(*ringfile));

	(void)state;
	for (int kind = 1; kind <= PENDING_KINDS; kind++) {
		refuse[CALL_mmap] = kind;
		assert_int_equal(pending_init(pending), -1);
	}
	assert_int_equal(pending_init(pending), 0);
	refuse_all[CALL_mmap] = true;
	assert_int_equal(ringfile_create(ringfile, "/tmp/log", RING_BESIDE_LOG), -1);
	refuse_all[CALL_mmap] = false;
	assert_int_equal(ringfile_create(ringfile, "/tmp/log", RING_BESIDE_LOG), 0);
	ringfile_unlink(ringfile);
	refuse_all[CALL_mmap] = true;
	assert_int_equal(add(pending, ringfile, 0), 0);
	assert_int_equal(add(pending, ringfile, 2), 0);
	assert_int_equal(pending_add_event(pending, ringfile, &event), 0);
	assert_int_equal(pending->used, 0);
	refuse_all[CALL_mmap] = false;
	assert_int_equal(add(pending, ringfile, 0), 1);
	refuse_all[CALL_mmap] = true;
	/* No memory for a place with values: the record gets a plain place, without them. */
	assert_int_equal(add(pending, ringfile, 2), 2);
	assert_int_equal(pending_record(pending, 2)->frame.size, sizeof(struct record));
	assert_int_equal(pending->used, 2);
	free(ringfile);
	free(pending);
}

static int clean_up(void **state)
{
	settings_free(&settings);
	unlink(path);
	return tear_down(state);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, refuse_nothing, refuse_nothing)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_text),    TEST(test_choices),	    TEST(test_file),   TEST(test_found),
		TEST(test_options), TEST(test_definitions), TEST(test_no_log), TEST(test_host),
		TEST(test_rows),    TEST(test_pending),
	};

	if (close(mkstemp(path)))
		return 1;
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
