/* SPDX-License-Identifier: MIT */
/* Which values of 0 are known. Only files written by computeprof say so. */
#include "view/sqlite/nvprofread.h"

#include "view/sqlite/libsqlite.h"

int nvprofread_begin_known(struct nvprofread *reader, struct strbuf *error)
{
	static const char *const columns[] = {"known", NULL};

	if (!reader->own || !database_has(reader->database, "CP_KNOWN", "correlationId") ||
	    !nvprofread_has_index(reader, "CP_KNOWN"))
		return 0;
	reader->known =
		nvprofread_select(reader, "CP_KNOWN", columns, " WHERE correlationId = ?", error);
	return error->length ? -1 : 0;
}

int nvprofread_known(struct nvprofread *reader, uint64_t correlation, uint32_t *known,
		     struct strbuf *error)
{
	int step;

	if (!reader->known)
		return 0;
	sqlite.bind_int64(reader->known, 1, (int64_t)correlation);
	step = sqlite.step(reader->known);
	if (step == SQLITE_ROW)
		*known = nvprofread_number(reader->known, 0);
	sqlite.reset(reader->known);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		return database_refused(reader->database, error);
	return 0;
}
