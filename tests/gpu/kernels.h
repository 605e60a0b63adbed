/* SPDX-License-Identifier: MIT */
#ifndef GPU_KERNELS_H
#define GPU_KERNELS_H

/*
 * The kernels, as text that every driver from CUDA 8 on translates for every device from Kepler on:
 *	empty()					nothing
 *	fill(u64 data, u32 value, u32 count)	data[i] = value
 *	add(u64 data, u64 other, u32 count)	data[i] += other[i]
 *	spin(u64 result, u64 cycles)		busy for so many cycles of the multiprocessor at
 *						least; *result is how many they were
 *	fixed(u64 data)				has FIXED_SHARED bytes of static shared memory
 *	moving(u64 data)			uses dynamic shared memory, a word for each thread
 */
extern const char kernels_ptx[];

enum { FIXED_SHARED = 1024 };

#endif
