/* SPDX-License-Identifier: MIT */
#include "model/element.h"

#include <string.h>

enum {
	HALF_BITS = 10, /* of the mantissas */
	SINGLE_BITS = 23,
	DOUBLE_BITS = 52,
};

unsigned element_size(uint8_t type)
{
	static const uint8_t sizes[ELEMENT_TYPES] = {
		[ELEMENT_INT8] = 1,    [ELEMENT_INT16] = 2,   [ELEMENT_INT32] = 4,
		[ELEMENT_INT64] = 8,   [ELEMENT_UINT8] = 1,   [ELEMENT_UINT16] = 2,
		[ELEMENT_UINT32] = 4,  [ELEMENT_UINT64] = 8,  [ELEMENT_FLOAT16] = 2,
		[ELEMENT_FLOAT32] = 4, [ELEMENT_FLOAT64] = 8,
	};

	return type < ELEMENT_TYPES ? sizes[type] : 0;
}

const char *element_name(uint8_t type)
{
	static const char names[ELEMENT_TYPES][8] = {
		[ELEMENT_UNKNOWN] = "unknown", [ELEMENT_INT8] = "char",
		[ELEMENT_INT16] = "short",     [ELEMENT_INT32] = "int",
		[ELEMENT_INT64] = "long",      [ELEMENT_UINT8] = "uchar",
		[ELEMENT_UINT16] = "ushort",   [ELEMENT_UINT32] = "uint",
		[ELEMENT_UINT64] = "ulong",    [ELEMENT_FLOAT16] = "half",
		[ELEMENT_FLOAT32] = "float",   [ELEMENT_FLOAT64] = "double",
	};

	return names[type < ELEMENT_TYPES ? type : ELEMENT_UNKNOWN];
}

static double double_of(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static double single_of(uint32_t bits)
{
	float number;

	memcpy(&number, &bits, sizeof(number));
	return (double)number;
}

/* Not all compilers have a type for it. */
static double half_of(uint32_t bits)
{
	uint64_t sign = (uint64_t)(bits & 0x8000) << 48, mantissa = bits & 0x3ff;
	uint64_t exponent = bits >> HALF_BITS & 0x1f;
	double number;

	if (exponent == 0x1f)
		return double_of(sign | UINT64_C(0x7ff) << DOUBLE_BITS |
				 mantissa << (DOUBLE_BITS - HALF_BITS));
	if (exponent)
		return double_of(sign | (exponent + 1023 - 15) << DOUBLE_BITS |
				 mantissa << (DOUBLE_BITS - HALF_BITS));
	number = (double)mantissa / (1 << 24);
	return sign ? -number : number;
}

int64_t element_integer(uint8_t type, uint64_t bits)
{
	unsigned unused = 64 - 8 * element_size(type);
	bool has_sign = type >= ELEMENT_INT8 && type <= ELEMENT_INT64;

	return has_sign ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

double element_number(uint8_t type, uint64_t bits)
{
	if (type == ELEMENT_FLOAT16)
		return half_of((uint32_t)bits);
	if (type == ELEMENT_FLOAT32)
		return single_of((uint32_t)bits);
	if (type == ELEMENT_FLOAT64)
		return double_of(bits);
	if (type <= ELEMENT_INT64)
		return (double)element_integer(type, bits);
	return (double)bits;
}

unsigned element_mantissa(uint8_t type)
{
	return type == ELEMENT_FLOAT64	 ? DOUBLE_BITS
	       : type == ELEMENT_FLOAT32 ? SINGLE_BITS
					 : HALF_BITS;
}

static uint64_t ones(unsigned count)
{
	return (UINT64_C(1) << count) - 1;
}

uint64_t element_infinite(uint8_t type)
{
	return ones(8 * element_size(type) - 1) & ~ones(element_mantissa(type));
}

uint64_t element_canonical(uint8_t type, uint64_t bits)
{
	uint64_t magnitude = bits & ones(8 * element_size(type) - 1),
		 infinite = element_infinite(type);

	if (!magnitude)
		return 0;
	return magnitude > infinite ? infinite | UINT64_C(1) << (element_mantissa(type) - 1) : bits;
}

unsigned element_kept(uint8_t type, unsigned level)
{
	static const uint8_t singles[ELEMENT_LEVELS] = {23, 20, 15, 11, 7, 3};
	static const uint8_t doubles[ELEMENT_LEVELS] = {52, 46, 36, 28, 20, 12};

	if (type == ELEMENT_FLOAT64)
		return doubles[level];
	return type == ELEMENT_FLOAT16 && singles[level] > HALF_BITS ? HALF_BITS : singles[level];
}

uint64_t element_rounded(uint8_t type, uint64_t bits, unsigned level)
{
	unsigned dropped;

	if (!element_is_float(type))
		return bits;
	dropped = element_mantissa(type) - element_kept(type, level);
	bits = element_canonical(type, bits); /* of NaN the first bit is set */
	return element_canonical(type, bits & ~ones(dropped));
}

/* 11 significant bits, or a multiple of the least number. */
static bool fits_half(double number)
{
	double magnitude = number < 0 ? -number : number;

	if (magnitude > 65504)
		return magnitude > 1.7976931348623157e308; /* infinite */
	if (magnitude >= 0x1p-14)
		return !(bits_of(number) & ones(DOUBLE_BITS - HALF_BITS));
	return (double)(uint64_t)(magnitude * 0x1p24) == magnitude * 0x1p24;
}

bool element_fits(double number, unsigned bits)
{
	if (number != number)
		return true;
	if (bits == 16)
		return fits_half(number);
	return bits > 32 || (double)(float)number == number;
}

/* The limits of GVProf. */
double element_tolerance(uint8_t type)
{
	return type == ELEMENT_FLOAT64 ? 1e-14 : type == ELEMENT_FLOAT32 ? 1e-6 : 0;
}

bool element_is_whole(uint8_t type, double number)
{
	double limit = type == ELEMENT_FLOAT64 ? 0x1p63 : type == ELEMENT_FLOAT32 ? 0x1p31 : 0x1p15;
	double nearest, distance;

	if (!(number >= -limit && number < limit))
		return false;
	nearest = (double)(int64_t)number;
	distance = number < nearest ? nearest - number : number - nearest;
	return distance <= element_tolerance(type) || 1 - distance <= element_tolerance(type);
}
