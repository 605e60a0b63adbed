/* SPDX-License-Identifier: MIT */
/* Kernels that are hard to rewrite, for rewrite.test: each one runs, and its results are compared. */
#define GET(a, i) (a)[(i)]
#define PUT(a, i, v) do { (a)[i] = (v); } while (0)
#define PASTE(a, b) a##b
#define NAME(n) PASTE(hostile_, n)
#define TWICE(x) ((x) + (x))
#define EMPTY
#define VA(f, ...) f(__VA_ARGS__)
#define STR(x) #x
#define OBJECT out[0]
typedef struct { char a; int b; float4 v; short t[3]; } item;
typedef union { int i; float f; uchar c[4]; } both;
typedef struct { float x, y; } pair;
__constant int table[4] = { 1, 2, 3, 4 };
__constant char text[] = "a[0] = \"/* no comment */\" // none";

float add(pair p, float q);
pair swap(pair p)
{
	pair r = { p.y, p.x };
	return r;
}
float add(pair p, float q) { return p.x + p.y + q; }
static int depth3(__global int *p, int i) { return p[i]; }
static int depth2(__global int *p, int i) { return depth3(p, i) + 1; }
int depth1(__global int *p, int i)
{
	return depth2(p, i) + depth2(p, i + 1);
}
__global int *pick(__global int *a, __global int *b, int i) { return i & 1 ? a : b; }

__kernel void hostile_macros(__global int *in, __global int *out, int n)
{
	int i = get_global_id(0);
	PUT(out, i, GET(in, i) + TWICE(in[i]));
	VA(PUT, out, i + n, GET(in, (i + 1) % n) EMPTY);
	if (i == 0) OBJECT = GET(out, n) /* a comment */ + __LINE__;
	out[
		2 * n + i] = // at the end
		in \
[i];
	out[3 * n + i] = (int)sizeof(STR(in[i] "x")) + text[i % 8];
}
__kernel void NAME(components)(__global float4 *v, __global float2 *w, __global float *o)
{
	int i = get_global_id(0);
	v[i].x = w[i].y;
	v[i].yz = w[i].xy * 2.0f;
	v[i].w += 1;
	v[i].s0 *= 0.5f;
	v[i][2] = v[i].hi.x;
	++v[i].y;
	v[i].y++;
	w[i].lo = v[i].odd.x;
	o[i] = (v[i].z = 3.0f) + (w[i].y -= 1.0f);
	float4 f = v[i].wzyx;
	vstore4(f, i, o + get_global_size(0));
	w[i] += vload2(i, o + 5 * get_global_size(0)) + v[i].x;
	v[i] = (float4)(w[i], o[i], 1.0f) + f.wwww;
}
__kernel void hostile_structs(__global item *s, __global both *u, __global pair *p, __global int *o)
{
	int i = get_global_id(0);
	item t = s[i];
	both b = u[i];
	s[i].b = t.b + s[i].t[1];
	s[i].t[i % 3]++;
	(&s[i])->v.y = t.v.x;
	u[i].c[1] ^= b.c[0];
	u[i].f = u[i].f + 1.0f;
	p[i] = swap(p[i]);
	o[i] = (int)add(p[i], p[i].x) + table[i & 3];
	b.i = o[i];
	u[i] = b;
	for (int k = 0; k < 2; k++)
		*(o + i) = *(o + i) * 2;
	__global item *q = &s[i];
	q->a = (char)as_int(q->v.x);
	o[i] += as_int(p[i].y) ? 1 : o[i] ? 2 : 3, o[i] |= 1;
}
__kernel void hostile_calls(__global int *a, __global int *b, __local int *l)
{
	__local int own[16];
	int i = get_global_id(0), me = get_local_id(0);
	l[me] = depth1(a, i);
	own[me] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	*pick(a, b, i) = l[me] + own[15 - me];
	pick(a, b, i)[1 - 1] -= -1;
	b[i]=-b[i];
	b[i]<<=1; b[i]>>=1, b[i]%=97;
	atomic_add(&b[i], 1);
	if (a[i] == 5 || a[i] <= 3 && !(b[i] != 2)) return;
	do b[i]--; while (b[i] > 40);
	switch (b[i]) { case 3: a[i] = 1; break; default: a[i] = ~a[i]; }
}
__kernel void hostile_small(__global uchar *c, __global short4 *s, __global ulong *u, __global char3 *t)
{
	int i = get_global_id(0);
	c[i] += 200;
	c[i]++;
	c[i] <<= 1;
	s[i] -= (short4)(1, 2, 3, 4);
	s[i].even = s[i].odd;
	u[i] = u[i] * 0x100000001UL + c[i];
	u[i]--;
	ulong old = u[i]++, now = ++u[i], less = u[i]--;
	u[i] = old * 10000 + now * 100 + less - --u[i];
	t[i].x = c[i];
	t[i].yz = t[i].xx;
}
__kernel void hostile_image(__read_only image2d_t from, __write_only image2d_t to, sampler_t s)
{
	float4 v = read_imagef(from, s, (float2)(0.5f, 0.5f));

	write_imagef(to, (int2)(get_global_id(0), 0), v);
}
/* clang's range of it ends before the last parenthesis. */
const sampler_t hostile_sampler = (CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
				   CLK_FILTER_NEAREST);
__kernel void hostile_image_too(__read_only image2d_t from, sampler_t s, __global float4 *o)
{
	o[get_global_id(0)] = read_imagef(from, s, (float2)(0.5f, 0.5f));
}
__kernel void nothing(int n) { }
__kernel void hostile_arrow(__global float4 *a, __global float *b) {
	int i = get_global_id(0);
	__global float4 *p = a + i;
	b[i] = p->x + (a + i)->y + (&a[i]) -> w;
	if (p) b[i] += (p)->zw.x;
	float2 q[2] = { p->xy, (float2)(p->z, p->w) };
	b[i] += q[0].x + q[1].y + (p->x, p->y);
}
