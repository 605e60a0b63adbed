/* SPDX-License-Identifier: MIT */
#ifndef APP_DEMO_H
#define APP_DEMO_H

enum { BODIES = 1024, STEPS = 8, SIDE = 256, BLURS = 4 };

#define TIME_STEP 0.01f
#define SOFTENING 0.05f
/* The amount that a body adds to its pixel: every blur divides by 9, and this stays divisible. */
#define BRIGHTNESS 59049

/* A float4 of the device: position and mass of a body, or its velocity and an unused member. */
struct vector {
	float x, y, z, w;
};

struct result {
	struct vector position[BODIES];
	float energy;
	int picture[SIDE * SIDE];
};

/* The same BODIES bodies every time. */
void demo_bodies(struct vector *bodies);

/*
 * Computes everything again on the CPU, prints both results and their difference. Returns 0 if they
 * agree, else -1.
 */
int demo_check(const struct vector *start, const struct result *device);

#endif
