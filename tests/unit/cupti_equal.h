/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_CUPTI_EQUAL_H
#define TESTS_UNIT_CUPTI_EQUAL_H

/* Include after cmocka.h: values in CUPTI's headers and in computeprof's declarations that must be
 * equal. */
struct pair {
	const char *name;
	size_t theirs;
	size_t ours;
};

static inline unsigned differ(const struct pair *pairs, size_t count)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < count; i++) {
		if (pairs[i].theirs == pairs[i].ours)
			continue;
		print_error("%s is %zu, not %zu\n", pairs[i].name, pairs[i].theirs, pairs[i].ours);
		wrong++;
	}
	return wrong;
}

/* clang-format off */
/* A member of the record THIS and of computeprof's struct OURS. */
#define FIELD(theirs, ours)    FIELD_OF(THIS, theirs, OURS, ours)
#define FIELD_OF(record, theirs, type, ours) FIELD_IN(record, theirs, type, ours)
#define FIELD_IN(record, theirs, type, ours) \
	{"the offset of " #record "." #theirs, offsetof(record, theirs), \
	 offsetof(struct type, ours)}, \
	{"the size of " #record "." #theirs, sizeof(((record *)0)->theirs), \
	 sizeof(((struct type *)0)->ours)},
#define HEAD     FIELD(structSize, size) FIELD(pPriv, reserved)
#define NUMBER(theirs, ours) {#theirs, theirs, ours},
#define SAME(function, type) __builtin_types_compatible_p(__typeof__(function), type)
/* The function takes a pointer to these parameters, and computeprof's declaration one to its own
 * struct. */
#define TAKES(function) \
	{"whether " #function " takes this", SAME(cupti##function, CUptiResult(THIS *)), 1}, \
	{"whether our " #function " does", SAME(ours_##function, int(struct OURS *)), 1}, HEAD
#define HOST(function) \
	{"whether " #function " takes this", \
	 SAME(cuptiProfilerHost##function, CUptiResult(THIS *)), 1}, \
	{"whether our " #function " does", \
	 SAME(((struct hostapi *)0)->function, int (*)(struct OURS *)), 1}, HEAD

/* clang-format on */

#endif
