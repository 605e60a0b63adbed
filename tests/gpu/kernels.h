/* SPDX-License-Identifier: MIT */
#ifndef GPU_KERNELS_H
#define GPU_KERNELS_H

/*
 * The kernels, as text that every driver from CUDA 8 on translates for every device from Kepler on:
 *	empty()					nothing
 *	fill(u64 data, u32 value, u32 count)	data[i] = value
 *	add(u64 data, u64 other, u32 count)	data[i] += other[i]
 *	copy(u64 to, u64 from, u32 stride)	to[i] = from[i * stride]
 *	loop(u64 data, u32 rounds)		goes through a loop of so many rounds, 1 at least,
 *						and puts a word into data[number in the block]
 *	spin(u64 result, u64 cycles)		busy for so many cycles of the multiprocessor at
 *						least; *result is how many they were
 *	await(u64 result, u64 flag, u64 cycles)	until *flag is not 0, or for so many cycles; *result
 *						is the last value of *flag
 *	fixed(u64 data)				has FIXED_SHARED bytes of static shared memory
 *	moving(u64 data)			uses dynamic shared memory, a word for each thread
 * All data are words of 32 bits; i is the thread's number in a grid and blocks of one dimension.
 *
 * The counts of hardware, on any device and with any assembler; a warp has 32 threads:
 *	blocks	grid X * Y * Z
 *	warps	blocks * (block X * Y * Z / 32, rounded up)
 *	threads	blocks * block X * Y * Z
 *	each warp:		global loads	global stores	shared loads	shared stores
 *	empty			0		0		0		0
 *	fill			0		1		0		0
 *	add			2		1		0		0
 *	copy			1		1		0		0
 *	loop			0		1		0		0
 *	spin			0		1 a block	0		0
 *	await			(not foreseeable)
 *	fixed, moving		0		1		1		1
 *			(fill and add: warps with a number below `count` only)
 *	sectors of 32 bytes that a full warp moves, of data that begin at such a sector: 4 for each
 *		load or store of neighbouring words; copy loads min(32, 4 * stride)
 *	instructions, for each warp: A of empty; B + C * rounds of loop; A, B and C are whole
 *		numbers that depend on the assembler, 1 or more. Other instructions are not known.
 */
extern const char kernels_ptx[];

enum { FIXED_SHARED = 1024 };

#endif
