/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "demo.h"

#define TOLERANCE 1e-4f

static float uniform(void)
{
	static unsigned int state = 2026;

	state = state * 1664525u + 1013904223u;
	return (float)(state >> 8) / (float)(1 << 24);
}

void demo_bodies(struct vector *bodies)
{
	for (int i = 0; i < BODIES; i++) {
		bodies[i].x = uniform() * 1.6f - 0.8f;
		bodies[i].y = uniform() * 1.6f - 0.8f;
		bodies[i].z = uniform() * 1.6f - 0.8f;
		bodies[i].w = 1.0f / BODIES;
	}
}

/* Adds the pull of all of `bodies` on `self` during one step to its velocity. */
static void accelerate(const struct vector *bodies, const struct vector *self,
		       struct vector *velocity)
{
	struct vector force = {0};

	for (int i = 0; i < BODIES; i++) {
		float x = bodies[i].x - self->x, y = bodies[i].y - self->y;
		float z = bodies[i].z - self->z;
		float square = x * x + y * y + z * z + SOFTENING;
		float pull = bodies[i].w / (square * sqrtf(square));

		force.x += x * pull;
		force.y += y * pull;
		force.z += z * pull;
	}
	velocity->x += force.x * TIME_STEP;
	velocity->y += force.y * TIME_STEP;
	velocity->z += force.z * TIME_STEP;
}

static void move(struct vector *body, const struct vector *velocity)
{
	body->x += velocity->x * TIME_STEP;
	body->y += velocity->y * TIME_STEP;
	body->z += velocity->z * TIME_STEP;
}

static float kinetic_energy(const struct vector *bodies, const struct vector *velocity)
{
	float energy = 0;

	for (int i = 0; i < BODIES; i++)
		energy += 0.5f * bodies[i].w *
			  (velocity[i].x * velocity[i].x + velocity[i].y * velocity[i].y +
			   velocity[i].z * velocity[i].z);
	return energy;
}

static int clamp(int value)
{
	return value < 0 ? 0 : value >= SIDE ? SIDE - 1 : value;
}

static void blur_pixel(const int *from, int *to, int x, int y)
{
	int sum = 0;

	for (int i = 0; i < 9; i++)
		sum += from[clamp(y + i / 3 - 1) * SIDE + clamp(x + i % 3 - 1)];
	to[y * SIDE + x] = sum / 9;
}

static void draw(const struct vector *bodies, int *picture)
{
	static int blurred[SIDE * SIDE];

	memset(picture, 0, sizeof(blurred));
	for (int i = 0; i < BODIES; i++) {
		int x = clamp((int)((bodies[i].x + 1) * 0.5f * SIDE));
		int y = clamp((int)((bodies[i].y + 1) * 0.5f * SIDE));

		picture[y * SIDE + x] += BRIGHTNESS;
	}
	for (int i = 0; i < BLURS; i++) {
		for (int pixel = 0; pixel < SIDE * SIDE; pixel++)
			blur_pixel(picture, blurred, pixel % SIDE, pixel / SIDE);
		memcpy(picture, blurred, sizeof(blurred));
	}
}

static void simulate(const struct vector *start, struct result *result)
{
	static struct vector before[BODIES], velocity[BODIES];

	memcpy(result->position, start, sizeof(before));
	for (int step = 0; step < STEPS; step++) {
		memcpy(before, result->position, sizeof(before));
		for (int i = 0; i < BODIES; i++) {
			accelerate(before, &before[i], &velocity[i]);
			move(&result->position[i], &velocity[i]);
		}
	}
	result->energy = kinetic_energy(result->position, velocity);
}

static float farthest(const struct vector *a, const struct vector *b)
{
	float distance = 0;

	for (int i = 0; i < BODIES; i++) {
		distance = fmaxf(distance, fabsf(a[i].x - b[i].x));
		distance = fmaxf(distance, fabsf(a[i].y - b[i].y));
		distance = fmaxf(distance, fabsf(a[i].z - b[i].z));
	}
	return distance;
}

static int different_pixels(const int *a, const int *b)
{
	int count = 0;

	for (int i = 0; i < SIDE * SIDE; i++)
		count += a[i] != b[i];
	return count;
}

int demo_check(const struct vector *start, const struct result *device)
{
	static struct result cpu;
	float distance;
	int pixels;
	bool good;

	simulate(start, &cpu);
	/* Uses the device's positions: a rounding error must not move a body to another pixel. */
	draw(device->position, cpu.picture);
	distance = farthest(cpu.position, device->position);
	pixels = different_pixels(cpu.picture, device->picture);
	good = distance < TOLERANCE &&
	       fabsf(cpu.energy - device->energy) < TOLERANCE * cpu.energy && !pixels;
	printf("%d bodies after %d steps: places differ by at most %.1e\n", BODIES, STEPS,
	       (double)distance);
	printf("kinetic energy: %.6f on the device, %.6f on the CPU\n", (double)device->energy,
	       (double)cpu.energy);
	printf("picture: %d of %d pixels differ\n", pixels, SIDE * SIDE);
	printf("%s\n", good ? "the results agree" : "THE RESULTS DIFFER");
	return good ? 0 : -1;
}
