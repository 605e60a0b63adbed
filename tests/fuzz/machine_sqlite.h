/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MACHINE_SQLITE_H
#define TESTS_FUZZ_MACHINE_SQLITE_H

#include <sqlite3.h>

/* From now on SQLite uses only the files of machine.h. */
void machine_sqlite_begin(void);

#endif
