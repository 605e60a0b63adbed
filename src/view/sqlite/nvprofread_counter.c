/* SPDX-License-Identifier: MIT */
/* Counters of kernels. Only files written by computeprof have them. */
#include "view/sqlite/nvprofread.h"

#include <string.h>

#include "view/sqlite/libsqlite.h"

int nvprofread_begin_counters(struct nvprofread *reader, struct strbuf *error)
{
	static const char *const columns[] = {"name", "value", "isReal", NULL};

	if (!reader->own || !database_has(reader->database, "CP_COUNTER", "correlationId") ||
	    !nvprofread_has_index(reader, "CP_COUNTER"))
		return 0;
	reader->counters =
		nvprofread_select(reader, "CP_COUNTER", columns, " WHERE correlationId = ?", error);
	return error->length ? -1 : 0;
}

/* Reads the columns and values of a kernel. Returns their number, or -1 with one sentence. */
static int read_columns(struct nvprofread *reader, struct counter_column *columns, double *values,
			struct strbuf *error)
{
	sqlite3_stmt *row = reader->counters;
	int count = 0, step;

	while ((step = sqlite.step(row)) == SQLITE_ROW && count < COUNTER_COLUMNS) {
		uint32_t name;

		if (nvprofread_name(reader, sqlite.column_int64(row, 0), &name, error))
			return -1;
		columns[count].name = names_text(reader->catalog.names, name, NULL);
		columns[count].real = sqlite.column_int64(row, 2);
		values[count++] = sqlite.column_double(row, 1);
	}
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		return database_refused(reader->database, error);
	return count;
}

static bool is_same(const struct counter_set *one, const struct counter_set *other)
{
	if (one->count != other->count)
		return false;
	for (uint32_t i = 0; i < one->count; i++)
		if (one->columns[i].real != other->columns[i].real ||
		    strcmp(one->columns[i].name, other->columns[i].name) != 0)
			return false;
	return true;
}

/* Returns the id of an equal set, or of a new one; -1 if the catalog is full. Neighbouring kernels
 * mostly have equal sets, so the newest ones are compared first. */
static int set_of(struct nvprofread *reader, const struct counter_set *wanted)
{
	const struct catalog *catalog = &reader->catalog;

	for (uint32_t i = catalog->counters_count; i-- > 0;) {
		const struct counter_set *set = catalog_counters(catalog, i);

		if (set->device == wanted->device && is_same(set, wanted))
			return (int)set->id;
	}
	return catalog_add_counters(&reader->catalog, wanted);
}

int nvprofread_counters(struct nvprofread *reader, struct counted_record *counted,
			struct strbuf *error)
{
	struct counter_column columns[COUNTER_COLUMNS];
	struct counter_set set = {
		.device = counted->record.device, .columns = columns, .refused = ""};
	struct frame *frame = &counted->record.frame;
	int count, id;

	if (!reader->counters || frame->kind != FRAME_KERNEL)
		return 0;
	sqlite.bind_int64(reader->counters, 1, (int64_t)frame->correlation);
	count = read_columns(reader, columns, counted->values, error);
	sqlite.reset(reader->counters);
	if (count <= 0)
		return count;
	set.count = (uint32_t)count;
	id = set_of(reader, &set);
	if (id < 0)
		return 0;
	counted_record_set(counted, (uint32_t)id, set.count);
	return 0;
}
