/* SPDX-License-Identifier: MIT */
#include "kernels.h"

/* clang-format off */
const char kernels_ptx[] =
	".version 5.0\n"
	".target sm_30\n"
	".address_size 64\n"

	".visible .entry empty()\n"
	"{\n"
	"	ret;\n"
	"}\n"

/* %r4 is the thread's number in the grid; threads from `count` on have no work */
#define NUMBER(count) \
	"	mov.u32 %r1, %ctaid.x;\n" \
	"	mov.u32 %r2, %ntid.x;\n" \
	"	mov.u32 %r3, %tid.x;\n" \
	"	mad.lo.u32 %r4, %r1, %r2, %r3;\n" \
	"	ld.param.u32 %r5, [" count "];\n" \
	"	setp.ge.u32 %p1, %r4, %r5;\n" \
	"	@%p1 bra END;\n"

	".visible .entry fill(.param .u64 data, .param .u32 value, .param .u32 count)\n"
	"{\n"
	"	.reg .pred %p<2>;\n"
	"	.reg .u32 %r<8>;\n"
	"	.reg .u64 %d<5>;\n"
	NUMBER("count")
	"	ld.param.u64 %d1, [data];\n"
	"	cvta.to.global.u64 %d2, %d1;\n"
	"	mul.wide.u32 %d3, %r4, 4;\n"
	"	add.u64 %d4, %d2, %d3;\n"
	"	ld.param.u32 %r6, [value];\n"
	"	st.global.u32 [%d4], %r6;\n"
	"END:\n"
	"	ret;\n"
	"}\n"

	".visible .entry add(.param .u64 data, .param .u64 other, .param .u32 count)\n"
	"{\n"
	"	.reg .pred %p<2>;\n"
	"	.reg .u32 %r<9>;\n"
	"	.reg .u64 %d<8>;\n"
	NUMBER("count")
	"	ld.param.u64 %d1, [data];\n"
	"	cvta.to.global.u64 %d2, %d1;\n"
	"	ld.param.u64 %d3, [other];\n"
	"	cvta.to.global.u64 %d4, %d3;\n"
	"	mul.wide.u32 %d5, %r4, 4;\n"
	"	add.u64 %d6, %d2, %d5;\n"
	"	add.u64 %d7, %d4, %d5;\n"
	"	ld.global.u32 %r6, [%d6];\n"
	"	ld.global.u32 %r7, [%d7];\n"
	"	add.u32 %r8, %r6, %r7;\n"
	"	st.global.u32 [%d6], %r8;\n"
	"END:\n"
	"	ret;\n"
	"}\n"

	".visible .entry spin(.param .u64 result, .param .u64 cycles)\n"
	"{\n"
	"	.reg .pred %p<3>;\n"
	"	.reg .u32 %r<2>;\n"
	"	.reg .u64 %d<7>;\n"
	"	mov.u64 %d1, %clock64;\n"
	"	ld.param.u64 %d2, [cycles];\n"
	"AGAIN:\n"
	"	mov.u64 %d3, %clock64;\n"
	"	sub.u64 %d4, %d3, %d1;\n"
	"	setp.lt.u64 %p1, %d4, %d2;\n"
	"	@%p1 bra AGAIN;\n"
	"	mov.u32 %r1, %tid.x;\n"
	"	setp.ne.u32 %p2, %r1, 0;\n"
	"	@%p2 bra END;\n"
	"	ld.param.u64 %d5, [result];\n"
	"	cvta.to.global.u64 %d6, %d5;\n"
	"	st.global.u64 [%d6], %d4;\n"
	"END:\n"
	"	ret;\n"
	"}\n"

	".visible .entry await(.param .u64 result, .param .u64 flag, .param .u64 cycles)\n"
	"{\n"
	"	.reg .pred %p<3>;\n"
	"	.reg .u32 %r<2>;\n"
	"	.reg .u64 %d<9>;\n"
	"	mov.u64 %d1, %clock64;\n"
	"	ld.param.u64 %d2, [cycles];\n"
	"	ld.param.u64 %d3, [flag];\n"
	"	cvta.to.global.u64 %d4, %d3;\n"
	"AGAIN:\n"
	"	ld.volatile.global.u32 %r1, [%d4];\n"
	"	setp.ne.u32 %p1, %r1, 0;\n"
	"	@%p1 bra END;\n"
	"	mov.u64 %d5, %clock64;\n"
	"	sub.u64 %d6, %d5, %d1;\n"
	"	setp.lt.u64 %p2, %d6, %d2;\n"
	"	@%p2 bra AGAIN;\n"
	"END:\n"
	"	ld.param.u64 %d7, [result];\n"
	"	cvta.to.global.u64 %d8, %d7;\n"
	"	st.global.u32 [%d8], %r1;\n"
	"	ret;\n"
	"}\n"

/* %d6 is the address of `pointer` in global memory plus %r4 words. */
#define WORD_OF(pointer) \
	"	ld.param.u64 %d1, [" pointer "];\n" \
	"	cvta.to.global.u64 %d2, %d1;\n" \
	"	mul.wide.u32 %d3, %r4, 4;\n" \
	"	add.u64 %d6, %d2, %d3;\n"

	".visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 stride)\n"
	"{\n"
	"	.reg .u32 %r<9>;\n"
	"	.reg .u64 %d<7>;\n"
	"	mov.u32 %r1, %ctaid.x;\n"
	"	mov.u32 %r2, %ntid.x;\n"
	"	mov.u32 %r3, %tid.x;\n"
	"	mad.lo.u32 %r6, %r1, %r2, %r3;\n"
	"	ld.param.u32 %r7, [stride];\n"
	"	mul.lo.u32 %r4, %r6, %r7;\n"
	WORD_OF("from")
	"	ld.global.u32 %r8, [%d6];\n"
	"	mov.u32 %r4, %r6;\n"
	WORD_OF("to")
	"	st.global.u32 [%d6], %r8;\n"
	"	ret;\n"
	"}\n"

/* The last number depends on all rounds, and they are not unrolled. */
	".visible .entry loop(.param .u64 data, .param .u32 rounds)\n"
	"{\n"
	"	.reg .pred %p<2>;\n"
	"	.reg .u32 %r<9>;\n"
	"	.reg .u64 %d<7>;\n"
	"	mov.u32 %r4, %tid.x;\n"
	"	mov.u32 %r5, %r4;\n"
	"	mov.u32 %r6, 0;\n"
	"	ld.param.u32 %r7, [rounds];\n"
	"	.pragma \"nounroll\";\n"
	"ROUND:\n"
	"	mad.lo.u32 %r5, %r5, 1664525, 1013904223;\n"
	"	add.u32 %r6, %r6, 1;\n"
	"	setp.lt.u32 %p1, %r6, %r7;\n"
	"	@%p1 bra ROUND;\n"
	WORD_OF("data")
	"	st.global.u32 [%d6], %r5;\n"
	"	ret;\n"
	"}\n"

/* Through shared memory and back, so that it is not optimized away. */
#define SHARED \
	"{\n" \
	"	.reg .u32 %r<4>;\n" \
	"	.reg .u64 %d<5>;\n" \
	"	mov.u32 %r1, %tid.x;\n" \
	"	and.b32 %r1, %r1, 255;\n" \
	"	mul.wide.u32 %d1, %r1, 4;\n" \
	"	mov.u64 %d2, words;\n" \
	"	add.u64 %d2, %d2, %d1;\n" \
	"	st.shared.u32 [%d2], %r1;\n" \
	"	bar.sync 0;\n" \
	"	ld.shared.u32 %r2, [%d2];\n" \
	"	ld.param.u64 %d3, [data];\n" \
	"	cvta.to.global.u64 %d4, %d3;\n" \
	"	add.u64 %d4, %d4, %d1;\n" \
	"	st.global.u32 [%d4], %r2;\n" \
	"	ret;\n" \
	"}\n"

	".visible .entry fixed(.param .u64 data)\n"
	"{\n"
	"	.shared .align 4 .b8 words[1024];\n" /* FIXED_SHARED */
	SHARED
	"}\n"

	".extern .shared .align 4 .b8 words[];\n"
	".visible .entry moving(.param .u64 data)\n"
	SHARED;
/* clang-format on */
