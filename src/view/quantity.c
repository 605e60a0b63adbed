/* SPDX-License-Identifier: MIT */
#include "view/quantity.h"

/* clang-format off */
const struct quantity quantity_time = { .units = {
	{ .size = 1,   .name = "ns", .digits = 0, .decimals = 0 },
	{ .size = 1e3, .name = "us", .digits = 5, .decimals = 3 },
	{ .size = 1e6, .name = "ms", .digits = 5, .decimals = 6 },
	{ .size = 1e9, .name = "s",  .digits = 6, .decimals = 9 },
} };
const struct quantity quantity_size = { .units = {
	{ .size = 1,             .name = "B",  .digits = 0, .decimals = 0 },
	{ .size = 1024,          .name = "KB", .digits = 5, .decimals = 6 },
	{ .size = 1048576,       .name = "MB", .digits = 5, .decimals = 6 },
	{ .size = 1073741824,    .name = "GB", .digits = 5, .decimals = 6 },
} };
const struct quantity quantity_rate = { .units = {
	{ .size = 1,             .name = "B/s",  .digits = 5, .decimals = 6 },
	{ .size = 1024,          .name = "KB/s", .digits = 5, .decimals = 6 },
	{ .size = 1048576,       .name = "MB/s", .digits = 5, .decimals = 6 },
	{ .size = 1073741824,    .name = "GB/s", .digits = 5, .decimals = 6 },
} };
/* clang-format on */

int quantity_unit(const struct quantity *quantity, double value)
{
	int unit = QUANTITY_UNITS - 1;

	while (unit && value < quantity->units[unit].size)
		unit--;
	return unit;
}

/* The decimals with which a value of at least one has so many digits. One that is rounded up to
 * another digit keeps its number of decimals but one: 999.996 is 1000.0. */
static int decimals_of(double value, int digits)
{
	double half = 0.5;
	int decimals = digits - 1;

	for (int i = 1; i < digits; i++)
		half /= 10;
	for (; decimals && value + half >= 10; decimals--) {
		value /= 10;
	}
	return decimals;
}

/* More of them, for what begins with zeros. */
static int decimals_below_one(double value, const struct unit *unit)
{
	int decimals = unit->digits - 1;

	for (; value && value < 1 && decimals < unit->decimals; decimals++)
		value *= 10;
	return decimals < unit->decimals ? decimals : unit->decimals;
}

void quantity_put(struct strbuf *to, const struct quantity *quantity, int unit, double value)
{
	const struct unit *in =
		&quantity->units[unit == QUANTITY_AUTO ? quantity_unit(quantity, value) : unit];
	int decimals = 0;

	value /= in->size;
	if (in->digits && value < 1)
		decimals = decimals_below_one(value, in);
	else if (in->digits)
		decimals = decimals_of(value, in->digits);
	strbuf_printf(to, "%.*f%s", decimals, value, in->name);
}

void quantity_put_csv(struct strbuf *to, const struct quantity *quantity, int unit, double value)
{
	strbuf_printf(to, "%.6f", value / quantity->units[unit].size);
}
