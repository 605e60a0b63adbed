/* SPDX-License-Identifier: MIT */
#include "output/value_time.h"

#include <string.h>

#include "base/number.h"
#include "model/amount.h"

static uint64_t stamp_at(const struct record *record, const struct column *column)
{
	uint64_t stamp;

	memcpy(&stamp, (const char *)record + column->offset, sizeof(stamp));
	return stamp;
}

char *value_time_write(char *to, const struct output_target *target, const struct record *record,
		       const struct column *column)
{
	if (column->type == COLUMN_GPU_TIME)
		return number_microseconds(to, amount_between(record->started, record->ended));
	if (column->type == COLUMN_CPU_TIME)
		return number_microseconds(to, amount_between(record->enter, record->leave));
	if (column->type == COLUMN_EPOCH_HEX)
		return number_hex(to, stamp_at(record, column));
	return number_microseconds(
		to, amount_between(target->catalog->process.started, record->enter));
}
