/* SPDX-License-Identifier: MIT */
/* Inserts rows of a table, from nvprof->values. */
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

/* A name without a text counts as none. */
static int name_value(struct nvprof *nvprof, uint64_t id, int64_t *value, struct strbuf *error)
{
	size_t length = 0;
	const char *text =
		id ? names_text(nvprof->catalog->names, (uint32_t)id, &length) : NULL;

	*value = 0;
	if (!length)
		return 0;
	if (nvprof_set_name(nvprof, (uint32_t)id, text, length, error))
		return -1;
	*value = nvprof->values[VALUE_NAME];
	return 0;
}

/* An unknown value is the default of the field; `value` of a field with a bit is that bit. */
static int64_t given_to(const struct field *field, const uint32_t *numbers, uint32_t count,
			uint64_t id)
{
	if (id < count)
		return numbers[id];
	return field->condition == FIELD_WITH_KNOWN ? UINT32_MAX : field->value;
}

/* Relative to `origin`, for fields of either clock. */
static int64_t moment_value(struct nvprof *nvprof, uint64_t moment)
{
	uint64_t epoch = moment + (uint64_t)nvprof->catalog->process.monotonic_to_epoch;

	if (epoch > nvprof->last)
		nvprof->last = epoch;
	return (int64_t)(epoch - nvprof->origin);
}

int nvprof_value(struct nvprof *nvprof, const struct field *field, const void *frame,
		 unsigned int index, int64_t *value, struct strbuf *error)
{
	uint64_t number = field_get(field, frame, index);

	switch (field->unit) {
	case FIELD_UNIT_EPOCH:
		*value = field_is_known(field, frame) ? (int64_t)(number - nvprof->origin) : 0;
		return 0;
	case FIELD_UNIT_MONOTONIC:
		*value = moment_value(nvprof, number);
		return 0;
	case FIELD_UNIT_NAME:
		return name_value(nvprof, number, value, error);
	case FIELD_UNIT_DEVICE:
		*value = given_to(field, nvprof->devices, nvprof->device_count, number);
		return 0;
	case FIELD_UNIT_CONTEXT:
		*value = given_to(field, nvprof->contexts, nvprof->context_count, number);
		return 0;
	case FIELD_UNIT_NUMBER:
	case FIELD_UNIT_BYTES:
	case FIELD_UNIT_RESULT:
	case FIELD_UNIT_PAYLOAD:
	default: /* not reached: -Wswitch-enum */
		*value = (int64_t)number;
		if (field->condition == FIELD_WITH_KNOWN && !field_is_known(field, frame))
			*value = INSERT_UNKNOWN;
		return 0;
	}
}

int nvprof_put(struct nvprof *nvprof, enum nvprof_table table, struct strbuf *error)
{
	struct insert *insert = &nvprof->inserts[table];
	int64_t row[INSERT_PLACES];

	if (!nvprof->form->tables[table].name)
		return 0;
	nvprof->rows++;
	for (int i = 0; i < insert->count; i++) {
		unsigned int value = insert->places[i].value;

		if (value < NVPROF_FIELDS)
			row[i] = nvprof->values[value];
		else if (nvprof_value(nvprof, &field_rows[value & UINT8_MAX], nvprof->frame,
				      value >> 8 & UINT8_MAX, &row[i], error))
			return -1;
	}
	return insert_row(insert, row, error);
}

_Static_assert(FIELD_COUNT <= UINT8_MAX, "NVPROF_FIELD has one byte for a field");
