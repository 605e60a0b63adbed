/* SPDX-License-Identifier: MIT */
/* Walks as in programs, in the pieces of unwind.c, and a section with one function. */
#include <string.h>

#include "seeds.h"

/* The CIE of most functions: CFA = rsp + 8, the return address at CFA - 8. */
#define USUAL "C\12\1\x78\x10\x1b\0\x0c\7\x08\x90\1"
/* A function of 64 bytes from 0x100 on that sets a frame pointer up; one from 0x200 on that saves
 * rbx only; one from 0x300 on that aligns its stack; one from 0x400 on without a caller. */
#define FRAMED	"F\20\0\1\x40\0\x41\x0e\x10\x86\2\x43\x0d\6\x60\x0c\7\x08"
#define SAVED	"F\14\0\2\x40\0\x41\x0e\x10\x83\2\x42\x0e\x40"
#define ALIGNED "F\16\0\3\x40\0\x0f\3\x76\x78\6\x10\6\2\x76\0"
#define LAST	"F\6\0\4\x40\0\7\x10"
#define LINKAGE "F\21\0\5\x40\0\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22"
/* As longjmp: CFA = rdi, rsp in r8, rbp in r9, the return address in rdx. */
#define JUMP "F\22\0\6\x40\0\x0c\5\0\x09\7\x08\x09\6\x09\x09\x10\1\x83\1"
/* Registers of x86-64: r8 0, r9 1, rdi 8, rbp 10, rdx 12, rsp 15, rip 16. */
#define SP "R\4\17\1\0\1"

void seed_walks(const struct taker *taker)
{
	static const char frames[] =
		"\0" USUAL FRAMED SAVED LAST SP "R\4\12\1\x40\1R\4\20\3\x10\1"
		"S\11\0\x28\0\1\x80\1\3\x10\2" /* at rbp: the caller's rbp, and a return address */
		"S\6\0\x31\0\3\x12\1"	       /* below rsp + 0x40 of the second function */
		"S\11\0\x30\0\1\0\2\3\x10\4";
	static const char aligned[] = "\0" USUAL ALIGNED LINKAGE SP "R\4\12\1\x40\1R\4\20\3\x0c\5"
				      "S\6\0\x20\0\3\0\3S\6\0\x21\0\3\x12\3"
				      "S\11\0\x27\0\1\x80\1\1\x90\1S\6\0\x2f\0\3\x12\3";
	static const char other[] =
		"\0" USUAL SAVED SP "R\4\17\2\0\1R\4\20\3\x10\2S\6\1\x27\0\3\x10\2"
		"S\6\1\x2f\0\3\x10\4M\2\4\0";
	static const char signals[] = "\0" USUAL SAVED LAST SP "R\4\20\3\0\x08"
				      "S\11\0\x34\0\1\0\2\3\x10\2S\6\0\x47\0\3\x10\4";
	static const char jumps[] = "\0" USUAL SAVED JUMP LAST SP "R\4\20\3\x10\6R\4\0\1\0\2"
				    "R\4\1\1\x80\2R\4\14\3\x10\2R\4\10\2\0\1"
				    "S\6\0\x47\0\3\x10\4S\6\1\x1f\0\1\0\3";
	static const char pointers[] =
		"\0" SP "R\4\12\1\x40\1R\4\20\7\0\0S\11\0\x28\0\1\x80\1\3\0\1"
		"S\11\0\x30\0\1\x90\1\3\0\2";
	static const char bent[] =
		"\0" USUAL FRAMED SAVED "B\6\x8c\0\xff\xff\xff\xff" SP "R\4\20\3\x10\1";
	static const char section[] =
		"\1\0\0"
		"\1\x1b\3\x3b\x10\0\0\0\1\0\0\0\0\0\0\0\x2c\0\0\0"
		"\x14\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1\0\0"
		"\x14\0\0\0\x1c\0\0\0\xcc\xff\xff\xff\x40\0\0\0\0\x41\x0e\x10\x86\2\0\0";
	static const struct {
		const char *name, *bytes;
		size_t size;
	} rows[] = {
		{"frames", frames, sizeof(frames) - 1},
		{"aligned", aligned, sizeof(aligned) - 1},
		{"other", other, sizeof(other) - 1},
		{"signals", signals, sizeof(signals) - 1},
		{"jumps", jumps, sizeof(jumps) - 1},
		{"pointers", pointers, sizeof(pointers) - 1},
		{"bent", bent, sizeof(bent) - 1},
		{"section", section, sizeof(section) - 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		taker->take(taker->argument, rows[i].name, rows[i].bytes, rows[i].size);
}
