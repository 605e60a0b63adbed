/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CALLBACKS_H
#define BACKEND_CUDA_CALLBACKS_H

/* Subscribes to CUPTI: to what is made and taken down, and to the calls with which a program
 * controls its profiler. None of these is made for a launch. CUPTI_DONE or its error; with an error
 * there is no subscription. */
int callbacks_subscribe(void);
void callbacks_unsubscribe(void);

#endif
