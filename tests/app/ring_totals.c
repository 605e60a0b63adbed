/* SPDX-License-Identifier: MIT */
/*
 * ring_totals RING FILE: recovers a ring file, as the tool does at the end of a program, and writes
 * its running totals to FILE, as a trace. Exit code 1: it cannot be recovered; 2: it has no totals.
 */
#include <stdio.h>
#include <stdlib.h>

#include "session/logs.h"
#include "session/recover.h"

int main(int argc, char **argv)
{
	const struct logs_overwrite none = {.since = INT64_MAX};
	struct recover_request request = {.path = argv[1], .overwrite = &none};
	struct recover_report report = {0};
	FILE *file;

	if (argc != 3)
		return EXIT_FAILURE;
	if (recover_request(&request, &report) != RECOVER_DONE) {
		puts(strbuf_text(&report.reason));
		return EXIT_FAILURE;
	}
	if (!report.totals.length)
		return 2;
	file = fopen(argv[2], "w");
	if (!file ||
	    fwrite(report.totals.data, report.totals.length, 1, file) != 1 || fclose(file))
		return EXIT_FAILURE;
	recover_report_free(&report);
	return EXIT_SUCCESS;
}
