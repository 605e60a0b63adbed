/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_CUPTI_LAYOUTS_H
#define TESTS_UNIT_CUPTI_LAYOUTS_H

/* Include after cmocka.h: layouts in CUPTI's headers and in computeprof's declarations, which must
 * be equal. */

/* An offset or size in CUPTI's declaration and in computeprof's. */
struct place {
	const char *name;
	size_t theirs;
	size_t ours;
};

static void check(const struct place *places, size_t count)
{
	int wrong = 0;

	assert_true(count > 0);
	for (size_t i = 0; i < count; i++) {
		if (places[i].theirs == places[i].ours)
			continue;
		print_error("%s is %zu, not %zu\n", places[i].name, places[i].theirs,
			    places[i].ours);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

#define CHECK(places) check(places, sizeof(places) / sizeof((places)[0]))

#define FIELD(record, theirs, type, ours)                                                          \
	{"the offset of " #record "." #theirs, offsetof(record, theirs),                           \
	 offsetof(struct type, ours)},                                                             \
		{"the size of " #record "." #theirs, sizeof(((record *)0)->theirs),                \
		 sizeof(((struct type *)0)->ours)},

/* A record is at least as long as the part that is read. */
#define PREFIX(record, type)                                                                       \
	{#record " holds all of ours (1)", sizeof(record) >= sizeof(struct type), 1},

#endif
