/* SPDX-License-Identifier: MIT */
#ifndef CLI_INPUTFILE_H
#define CLI_INPUTFILE_H

#include <dirent.h>

#include "view/format/jsonread.h"

/* The files that diff and merge read. */

/* Returns true if the first byte that is no blank begins an object of JSON, which no log and no
 * other input begins with. */
bool inputfile_is_json(const char *path);

/* Returns the value, to be freed with json_free; NULL with one sentence in `error`. */
struct json_value *inputfile_read_json(const char *path, struct strbuf *error);

/* Puts the path in front of a sentence that does not have it. */
void inputfile_name_error(struct strbuf *error, const char *path);

/* What merge has written, perhaps from files beside it. */
enum inputfile_merged { INPUTFILE_NOT_MERGED, INPUTFILE_SUMS, INPUTFILE_RECORDS };

/* Looks at the first bytes. A trace without the processes that it was merged from is not merged. */
enum inputfile_merged inputfile_merged(const char *path);

/* As scandir with alphasort, without the profiler's other logs: metrics logs and API logs, which
 * have no records. */
int inputfile_scan(const char *directory, struct dirent ***entries);

/* Returns true if the name ends in the extension, and has no dot as first byte. */
bool inputfile_ends(const struct dirent *entry, const char *extension);

/* Returns the first one of the extensions that any of the entries has; NULL if there is none. The
 * list ends with NULL. A process may have files of several kinds. */
const char *inputfile_extension(struct dirent *const *entries, int count,
				const char *const *extensions);

#endif
