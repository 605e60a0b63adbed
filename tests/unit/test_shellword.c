/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/shellword.h"

static void expect(const char *text, const char *word)
{
	struct strbuf to = STRBUF_INIT;

	shellword_put(&to, text);
	assert_string_equal(strbuf_text(&to), word);
	strbuf_free(&to);
}

static void test_words(void **state)
{
	(void)state;
	expect("/tmp/a_b-1.%p+c,d:e@f", "/tmp/a_b-1.%p+c,d:e@f");
	expect("", "''");
	expect("a b", "'a b'");
	expect("~", "'~'");
	expect("a=b", "'a=b'");
	expect("it's", "'it'\\''s'");
	expect("$(x);`y`\\", "'$(x);`y`\\'");
	expect("\xc3\xa4", "'\xc3\xa4'");
	expect("a\nb", "$'a\\012b'");
	expect("\x7f'\\1", "$'\\177\\'\\\\1'");
}

/* A shell reads each byte as it is. */
static void test_bytes(void **state)
{
	struct strbuf command = STRBUF_INIT;
	char byte[2] = "", read[8];
	FILE *shell;

	(void)state;
	for (int i = ' '; i < 256; i++) {
		byte[0] = (char)i;
		if (i == 0x7f)
			continue;
		command.length = 0;
		strbuf_string(&command, "printf %s ");
		shellword_put(&command, byte);
		shell = popen(strbuf_text(&command), "r");
		assert_non_null(shell);
		assert_int_equal(fread(read, 1, sizeof(read), shell), 1);
		assert_int_equal(pclose(shell), 0);
		assert_int_equal(read[0], byte[0]);
	}
	strbuf_free(&command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
