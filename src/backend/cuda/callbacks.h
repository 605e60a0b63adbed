/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CALLBACKS_H
#define BACKEND_CUDA_CALLBACKS_H

/* Subscribes to CUPTI: to what is made and taken down, and to the calls with which a program
 * controls its profiler. None of these is made for a launch. CUPTI_DONE or its error; with an error
 * there is no subscription. */
int callbacks_subscribe(void);
void callbacks_unsubscribe(void);

/* Launches from now on, too, and contexts that go, for counters.h. Never taken back: a thread in
 * the middle of a launch would never be heard to leave it. */
void callbacks_want_launches(void);

#endif
