/* SPDX-License-Identifier: MIT */
#ifndef APP_EVERY_H
#define APP_EVERY_H

#include "opencl.h"

/* The program "every" makes each enqueue that OpenCL has, on its only queue, which is in order. */
struct every {
	struct opencl opencl;
	cl_command_queue queue;
	cl_mem buffers[2]; /* EVERY_SIZE bytes each */
	char *memory;	   /* as many, pageable */
	bool blocking;	   /* copies wait for their end */
};

enum { EVERY_QUEUE = 1, EVERY_SIZE = 1 << 16 };

void every_kernel(struct every *every);
void every_buffer(struct every *every);
void every_map(struct every *every);
void every_image(struct every *every);
void every_svm(struct every *every);
void every_command_buffer(struct every *every);

#endif
