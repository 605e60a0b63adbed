/* SPDX-License-Identifier: MIT */
/* Functions with several levels of inlined ones, for tests of symbols. It is built with -g -O2. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t innermost(uint64_t value)
{
	for (int i = 0; i < 3; i++)
		value = (value << 7 | value >> 57) * 11400714819323198485u + (uint64_t)i;
	return value;
}

INLINE uint64_t middle(uint64_t value, uint64_t other)
{
	if (value & 8)
		value += innermost(value ^ other);
	return innermost(value) + other / (1 + (value & 7));
}

INLINE uint64_t outer(uint64_t value)
{
	uint64_t sum = middle(value, 3);

	while (sum & 1)
		sum = middle(sum >> 1, value);
	return sum;
}

#define FUNCTION(number)                                                                           \
	static __attribute__((noinline)) uint64_t function_##number(uint64_t value)                \
	{                                                                                          \
		value = outer(value + number);                                                     \
		return value % 5 ? innermost(value) : outer(value * number);                       \
	}
#define FUNCTIONS(tens)                                                                            \
	FUNCTION(tens##0) FUNCTION(tens##1) FUNCTION(tens##2) FUNCTION(tens##3) FUNCTION(tens##4)  \
	FUNCTION(tens##5) FUNCTION(tens##6) FUNCTION(tens##7) FUNCTION(tens##8) FUNCTION(tens##9)
FUNCTIONS(1)
FUNCTIONS(2)
FUNCTIONS(3)
FUNCTIONS(4)

#define CALL(number) value += function_##number(value);
#define CALLS(tens)                                                                                \
	CALL(tens##0) CALL(tens##1) CALL(tens##2) CALL(tens##3) CALL(tens##4) CALL(tens##5)        \
	CALL(tens##6) CALL(tens##7) CALL(tens##8) CALL(tens##9)

int main(int argc, char **argv)
{
	uint64_t value = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;

	CALLS(1)
	CALLS(2)
	CALLS(3)
	CALLS(4)
	printf("%llu\n", (unsigned long long)value);
	return 0;
}
