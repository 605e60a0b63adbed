/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CALLBACKS_H
#define BACKEND_CUDA_CALLBACKS_H

/* Subscribes to CUPTI's callbacks for objects that are made and destroyed, and for the calls that
 * control the profiler. None of these is made for a launch. Returns CUPTI_DONE, or an error without
 * a subscription. */
int callbacks_subscribe(void);
void callbacks_unsubscribe(void);

/* Subscribes to launches and to the destruction of contexts, for counters.h. Never undone:
 * otherwise the end of a launch in progress would not be reported. */
void callbacks_want_launches(void);

#endif
