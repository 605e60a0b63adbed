/* SPDX-License-Identifier: MIT */
/* Checks for contradictory options of tables. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/report/report.h"
#include "view/format/name_filter.h"

#define SUMMARIES (1u << TABLE_SUMMARY | 1u << TABLE_API_SUMMARY)
#define RECORDS	  (1u << TABLE_SUMMARY | 1u << TABLE_GPU_TRACE)

static const struct {
	enum flag_id flag;
	unsigned tables;
} asked[] = {
	{FLAG_PRINT_SUMMARY, SUMMARIES},
	{FLAG_PRINT_GPU_SUMMARY, 1u << TABLE_SUMMARY},
	{FLAG_PRINT_API_SUMMARY, 1u << TABLE_API_SUMMARY},
	{FLAG_PRINT_GPU_TRACE, 1u << TABLE_GPU_TRACE},
	{FLAG_PRINT_API_TRACE, 1u << TABLE_API_TRACE},
};

/* The tables in which an option has an effect. */
static const struct {
	enum flag_id flag;
	unsigned tables;
	const char *name, *option;
} needed[] = {
	{FLAG_PERCENTILES, SUMMARIES, "a summary", "print-summary"},
	{FLAG_NOTES, SUMMARIES, "a summary", "print-summary"},
	{FLAG_KERNELS, RECORDS, "tables of kernels and copies", "print-gpu-summary"},
	{FLAG_DEVICES, RECORDS, "tables of kernels and copies", "print-gpu-summary"},
};

enum { ASKED = sizeof(asked) / sizeof(asked[0]) };

bool report_asked(const struct flags *flags)
{
	for (int i = 0; i < ASKED; i++)
		if (flags->value[asked[i].flag])
			return true;
	return flags->command == COMMAND_REPORT || flags->value[FLAG_IMPORT];
}

unsigned report_tables(const struct flags *flags)
{
	unsigned tables = 0;

	for (int i = 0; i < ASKED; i++)
		if (flags->value[asked[i].flag])
			tables |= asked[i].tables;
	return tables ? tables : SUMMARIES;
}

int report_check_alone(const struct flags *flags)
{
	static const enum flag_id with[] = {FLAG_UNIT, FLAG_LOG_FILE, FLAG_KERNELS, FLAG_DEVICES,
					    FLAG_DEMANGLING, FLAG_PERCENTILES, FLAG_NOTES};

	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		if (!flags->value[with[i]])
			continue;
		say("--%s is for tables: it needs --print-summary or --print-gpu-trace",
		    flag_rows[with[i]].name);
		return -1;
	}
	return 0;
}

static int check_needed(const struct flags *flags)
{
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		enum flag_id flag = needed[i].flag;

		if (!flags->value[flag] || report_tables(flags) & needed[i].tables)
			continue;
		say("--%s is for %s: add --%s or leave it out", flag_rows[flag].name,
		    needed[i].name, needed[i].option);
		return -1;
	}
	if (!flags->value[FLAG_NOTES] || !flags->value[FLAG_CSV])
		return 0;
	say("--notes and --csv exclude each other");
	return -1;
}

/* Each file of tables begins so: "==4242== " or "======== ", nvprof's as well. */
static bool has_tables(const char *path)
{
	char start[32] = "";
	int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t got = file < 0 ? -1 : read(file, start, sizeof(start) - 1);
	size_t digits;

	if (file >= 0)
		close(file);
	if (got <= 0 || strncmp(start, "==", 2) != 0)
		return false;
	digits = strspn(start + 2, "0123456789");
	return (digits && !strncmp(start + 2 + digits, "== ", 3)) ||
	       !strncmp(start, "======== ", 9);
}

bool report_may_write(const struct flags *flags, const char *path)
{
	struct stat status;

	if (flags->value[FLAG_FORCE] || stat(path, &status) || !S_ISREG(status.st_mode) ||
	    !status.st_size || has_tables(path))
		return true;
	say("%s exists and has no tables; use -f to overwrite it", path);
	return false;
}

/* The table of callers is printed alone. */
static int check_callers(const struct flags *flags)
{
	static const enum flag_id others[] = {FLAG_PERCENTILES, FLAG_NOTES, FLAG_KERNELS,
					      FLAG_DEVICES};

	for (int i = 0; i < ASKED + 4; i++) {
		enum flag_id other = i < ASKED ? asked[i].flag : others[i - ASKED];

		if (!flags->value[FLAG_BY_CALLER] || !flags->value[other])
			continue;
		say("--by-caller and --%s exclude each other", flag_rows[other].name);
		return -1;
	}
	return 0;
}

int report_check(const struct flags *flags)
{
	struct name_filter filter = {.active = false};
	struct strbuf error = STRBUF_INIT;
	int result = check_callers(flags);

	if (!result)
		result = check_needed(flags);
	if (result)
		return result;
	result = name_filter_open(&filter, flags->value[FLAG_KERNELS], &error);
	if (result)
		say("--kernels: %s", strbuf_text(&error));
	name_filter_close(&filter);
	strbuf_free(&error);
	return result;
}
