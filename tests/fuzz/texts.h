/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_TEXTS_H
#define TESTS_FUZZ_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/catalog.h"
#include "output/logreader.h"

/* Checks that several targets share. They are written from doc/FORMAT, not from the sources. */

/* Returns true for whole lines of UTF-8 without control characters (C0, DEL, C1) and without U+2028
 * and U+2029. */
bool text_is_plain(const char *text, size_t size);

bool text_has(const char *text, size_t size, char byte);

/* Returns true if `text`, with each \xNN decoded, has these bytes. */
bool text_means(struct log_text text, const char *bytes, size_t size);

/* Writes the record as a log of its own, in each API, dialect and format or, with `only` not -1, in
 * one of them (0 to 7), and checks that reading the log gives the same record. */
void check_log_of(const struct catalog *catalog, const struct record *record, int only);

#endif
