/* SPDX-License-Identifier: MIT */
#include "view/sqlite/nvprof.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "model/method.h"
#include "output/escape.h"
#include "output/logreader.h"
#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"

/* Returns the number of an escaped text, 0 if it has none yet. */
static int64_t find(struct nvprof *nvprof, const char *text, size_t length)
{
	int64_t number = 0;

	sqlite.bind_text64(nvprof->find, 1, text, length, SQLITE_STATIC, SQLITE_UTF8);
	if (sqlite.step(nvprof->find) == SQLITE_ROW)
		number = sqlite.column_int64(nvprof->find, 0);
	sqlite.reset(nvprof->find);
	return number;
}

static int64_t intern(struct nvprof *nvprof, const char *text, size_t length, struct strbuf *error)
{
	sqlite.bind_text64(nvprof->intern, 1, text, length, SQLITE_STATIC, SQLITE_UTF8);
	sqlite.step(nvprof->intern);
	if (sqlite.reset(nvprof->intern) != SQLITE_OK)
		return database_refused(nvprof->database, error);
	return sqlite.last_insert_rowid(nvprof->database);
}

/* A name equal to the text of row 0 is changed to differ from it; reading restores it. */
static size_t put_escaped(const struct nvprof *nvprof, char *to, const char *text, size_t length)
{
	const char *none = nvprof->form->none;
	size_t size = (size_t)(escape_name(to, text, length, ESCAPE_TEXT) - to);

	if (!none || size != strlen(none) || memcmp(to, none, size) != 0)
		return size;
	return (size_t)sprintf(to, "\\x%02x%s", (unsigned char)*none, none + 1);
}

int64_t nvprof_string(struct nvprof *nvprof, const char *text, size_t length, struct strbuf *error)
{
	char *escaped = malloc(ESCAPE_SIZE(length) + 1);
	int64_t number;
	size_t size;

	if (!escaped) {
		strbuf_string(error, "out of memory");
		return -1;
	}
	size = put_escaped(nvprof, escaped, text, length);
	number = find(nvprof, escaped, size);
	if (!number)
		number = intern(nvprof, escaped, size, error);
	free(escaped);
	return number;
}

/* Reads the <number><name> at *text, and advances it. Returns false if there is none. */
static bool component(const char **text, const char *end, struct log_text *name)
{
	const char *at;
	uint64_t length = number_read(*text, &at);

	if (at == *text || !length || length > (uint64_t)(end - at))
		return false;
	name->text = at;
	name->length = length;
	*text = at + length;
	return true;
}

/* The name of a function without name spaces and arguments, if the mangled name shows it
 * (_Z3fooPf, _ZN3bar3fooIfEEvT_); otherwise the whole name. */
static struct log_text short_name(const char *text, size_t length)
{
	const char *end = text + length;
	struct log_text name = {text, length};

	if (length < 3 || memcmp(text, "_Z", 2) != 0)
		return name;
	text += 2;
	if (*text == 'L' || *text == 'N')
		text++;
	while (component(&text, end, &name))
		;
	return name;
}

int nvprof_set_name(struct nvprof *nvprof, uint32_t id, const char *text, size_t length,
		    struct strbuf *error)
{
	uint32_t slot = id % NVPROF_NAMES;
	struct log_text brief;
	int64_t string[2];

	string[0] = nvprof->names[slot].string;
	string[1] = nvprof->names[slot].short_string;
	if (!string[0] || nvprof->names[slot].id != id) {
		brief = short_name(text, length);
		string[0] = nvprof_string(nvprof, text, length, error);
		string[1] = 0;
		if (nvprof->form->all_names && string[0] > 0)
			string[1] = nvprof_string(nvprof, brief.text, brief.length, error);
		if (string[0] < 0 || string[1] < 0)
			return -1;
	}
	nvprof->names[slot].id = id;
	nvprof->names[slot].string = nvprof->values[VALUE_NAME] = string[0];
	nvprof->names[slot].short_string = nvprof->values[VALUE_SHORT_NAME] = string[1];
	return 0;
}

int nvprof_set_names(struct nvprof *nvprof, const struct record *record, struct strbuf *error)
{
	const char *text;
	size_t length;

	nvprof->values[VALUE_NAME] = nvprof->values[VALUE_SHORT_NAME] = 0;
	if (record->frame.kind != FRAME_KERNEL)
		return 0;
	text = method_text(record, DIALECT_CLASSIC, nvprof->catalog->names, &length);
	return nvprof_set_name(nvprof, record->name, text, length, error);
}

int nvprof_note_stream(struct nvprof *nvprof, int64_t context, int64_t stream,
		       struct strbuf *error)
{
	uint64_t slot = ((uint64_t)context * 31 + (uint64_t)stream) % NVPROF_STREAMS;

	if (nvprof->streams[slot].known && nvprof->streams[slot].context == context &&
	    nvprof->streams[slot].stream == stream)
		return 0;
	nvprof->streams[slot].known = true;
	nvprof->streams[slot].context = context;
	nvprof->streams[slot].stream = stream;
	sqlite.bind_int64(nvprof->note_stream, 1, context);
	sqlite.bind_int64(nvprof->note_stream, 2, stream);
	sqlite.step(nvprof->note_stream);
	if (sqlite.reset(nvprof->note_stream) == SQLITE_OK)
		return 0;
	return database_refused(nvprof->database, error);
}
