/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

/* For tests of files: compares their contents. */

#include "base/file.h"

#include "folder.h"

__attribute__((unused)) static void refused(const char *path, int error)
{
	struct file file;

	errno = 0;
	assert_int_equal(file_open_log(&file, path, true), -1);
	assert_int_equal(errno, error);
	assert_int_equal(file.fd, -1);
	file_close(&file);
}

static void fill(const char *path, const char *text)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

static void expect(const char *path, const char *text)
{
	char got[256] = "";
	FILE *stream = fopen(path, "r");

	assert_non_null(stream);
	got[fread(got, 1, sizeof(got) - 1, stream)] = '\0';
	fclose(stream);
	assert_string_equal(got, text);
}

#endif
