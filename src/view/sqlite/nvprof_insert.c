/* SPDX-License-Identifier: MIT */
/* Rows of a table, out of nvprof->values. */
#include "view/sqlite/nvprof.h"

int nvprof_prepare(struct nvprof *nvprof, struct strbuf *error)
{
	const struct nvprof_form *form = nvprof->form;

	for (int i = 0; i < NVPROF_TABLES; i++)
		if (form->tables[i].name &&
		    insert_begin(&nvprof->inserts[i], nvprof->database,
				 schema_find(form->schema, form->tables[i].name),
				 form->tables[i].fields, error))
			return -1;
	return 0;
}

int nvprof_put(struct nvprof *nvprof, enum nvprof_table table, struct strbuf *error)
{
	nvprof->rows++;
	return insert_row(&nvprof->inserts[table], nvprof->values, error);
}
