/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_SENSOR_THREAD_H
#define CLI_RUN_SENSOR_THREAD_H

/* Reads clocks, power, temperature and fans of NVIDIA's devices (NVML) while the program runs, for
 * its databases (view/sensors.h): at its start, once a second, and at its end. */

/* The next run wants this. */
void sensor_thread_want(void);

/* Does nothing unless it is wanted. Prints one sentence if NVML cannot be used. */
void sensor_thread_begin(void);
void sensor_thread_end(void);

#endif
