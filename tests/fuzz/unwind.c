/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * An odd first byte: the next two are the offset of .eh_frame_hdr in the section that follows. Else
 * the input describes an object with its tables, two stacks, and the registers with which a walk
 * begins, in pieces: a letter, a length of one byte, and that many bytes:
 *
 *	C  a CIE for the next FDEs: units of code and of data, return register, encoding, letters;
 *	   its instructions
 *	F  an FDE: first byte and size of its function (2 bytes each); its instructions
 *	B  in the end: an offset in the table (2 bytes); the bytes to write there
 *	S  words of a stack: which one, the index of the first (2 bytes); the words
 *	R  a register: its number; its word
 *	M  most frames, 2 bytes
 *
 * A word has 3 bytes: a place (enum place), and an offset from it.
 */
/* clang-format on */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* REG_RIP */
#endif

#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/unwind.h"
#include "base/unwind_lookup.h"
#include "base/unwind_rule.h"
#include "fuzz.h"

enum {
	PAGE = 4096,
	OWN = 4 * PAGE,	  /* bytes of the thread's stack */
	OTHER = 2 * PAGE, /* of the other stack; behind it there is a page that cannot be read */
	IMAGE = 4 * PAGE, /* of the object */
	TABLE = 2 * PAGE, /* of its tables, at most */
	RETURN = 0x800,	  /* offset in the object of the code to which a signal handler returns */
	ARENA = 6 << 20,
	APART = ARENA / 3, /* bytes from one stack to the other, and to the object */
	FUNCTIONS = 16,	   /* at most */
	WORDS = 512,	   /* of an input, at most */
	ENTRY_HEAD = 17,   /* bytes of an FDE before its instructions */
	CIE_ROOM = 16,	   /* bytes of a CIE before its instructions, at most */
	RULES = 64,	   /* addresses that are looked up in a section */
};

enum place { SMALL, IN_OWN, IN_OTHER, IN_IMAGE, NEGATIVE, OWN_END, IN_FUNCTION, NOWHERE, PLACES };

/* Pages that no part of the list has cannot be read. It is no array, of which the leak sanitizer
 * reads all pages. */
static char *arena, *own, *other, *image;
static const struct {
	size_t from, size;
} readable[] = {
	{PAGE, OWN},
	{APART, OTHER},
	{APART + OTHER + PAGE, PAGE},
	{2 * APART, IMAGE},
};

/* As struct dl_find_object. */
struct found {
	unsigned long long flags;
	void *begin, *end;
	struct link_map *map;
	void *header;
	unsigned long long reserved[7];
};

struct function {
	uint16_t start, size;
	uint16_t at; /* offset of its FDE in the table */
};

struct walker {
	uint8_t table[TABLE];
	size_t size, cie, bend_count, word_count, most, count;
	struct function functions[FUNCTIONS];
	const uint8_t *bends[FUNCTIONS];
	uintptr_t *places[WORDS]; /* of the stack */
	ucontext_t context;
};

static struct walker walker;
static struct link_map map;
static char *header;
static bool on, learning;

static bool can_read(uintptr_t address)
{
	uintptr_t at = address - (uintptr_t)arena;

	for (size_t i = 0; i < sizeof(readable) / sizeof(readable[0]); i++)
		if (at - readable[i].from < readable[i].size)
			return true;
	return false;
}

static int find_object(void *address, struct found *to)
{
	if ((uintptr_t)address - (uintptr_t)image >= IMAGE)
		return -1;
	*to = (struct found){.begin = image, .end = image + IMAGE, .map = &map, .header = header};
	return 0;
}

void *__real_mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset);
void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);
pthread_t __real_pthread_self(void);
pthread_t __wrap_pthread_self(void);
unsigned long __real_getauxval(unsigned long kind);
unsigned long __wrap_getauxval(unsigned long kind);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/* Sanitizers call these functions before their own start, so the functions are not instrumented. */
#define EARLY __attribute__((no_sanitize("address", "undefined")))

EARLY void *__wrap_dlsym(void *handle, const char *name)
{
	return on ? (void *)(uintptr_t)find_object : __real_dlsym(handle, name);
}

/* The thread's own data is above its stack. */
EARLY pthread_t __wrap_pthread_self(void)
{
	return learning ? (pthread_t)(uintptr_t)(own + OWN + 1) : __real_pthread_self();
}

EARLY unsigned long __wrap_getauxval(unsigned long kind)
{
	return on ? 0 : __real_getauxval(kind);
}

EARLY long __wrap_syscall(long number, ...)
{
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (!on)
		return __real_syscall(number, arguments[0], arguments[1], arguments[2],
				      arguments[3], arguments[4], arguments[5]);
	if (number == SYS_rt_sigprocmask)
		errno = can_read((uintptr_t)arguments[1]) ? EINVAL : EFAULT;
	return -1;
}

static void set_register(ucontext_t *context, unsigned number, uintptr_t value)
{
#ifdef __x86_64__
	context->uc_mcontext.gregs[number % (REG_RIP + 1)] = (greg_t)value;
#elif defined(__aarch64__)
	((uint64_t *)&context->uc_mcontext.regs)[number % 33] = value;
#else
	(void)context;
	(void)number;
	(void)value;
#endif
}

#ifdef __x86_64__
enum { STACK_POINTER = REG_RSP };
#else
enum { STACK_POINTER = 31 };
#endif

static void put_object(void)
{
#ifdef __aarch64__
	static const uint32_t code[] = {0xd2801168, 0xd4000001};
#else
	static const uint8_t code[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
#endif
	ElfW(Ehdr) elf = {.e_ident = ELFMAG, .e_phentsize = sizeof(ElfW(Phdr)), .e_phnum = 1};

	elf.e_phoff = sizeof(elf);
	memcpy(image, &elf, sizeof(elf));
	memcpy(image + RETURN, code, sizeof(code));
}

/* Called once: the walker finds the bounds of the thread's stack. */
static void start(void)
{
	uintptr_t pc;

	arena = __real_mmap(NULL, ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(arena != MAP_FAILED);
	own = arena + PAGE;
	other = arena + APART;
	image = arena + 2 * APART;
	for (size_t i = 0; i < sizeof(readable) / sizeof(readable[0]); i++)
		mprotect(arena + readable[i].from, readable[i].size, PROT_READ | PROT_WRITE);
	put_object();
	map.l_addr = (uintptr_t)image;
	on = true;
	unwind_start();
	set_register(&walker.context, STACK_POINTER, (uintptr_t)own);
	learning = true;
	CHECK(unwind_context(&walker.context, &pc, 1, NULL) == 1);
	learning = false;
}

static uint16_t half(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

static uintptr_t word(const uint8_t *at)
{
	uintptr_t offset = half(at + 1);
	const struct function *function;

	switch ((enum place)(at[0] % PLACES)) {
	case IN_OWN:
		return (uintptr_t)own + offset;
	case IN_OTHER:
		return (uintptr_t)other + offset;
	case IN_IMAGE:
		return (uintptr_t)image + offset;
	case NEGATIVE:
		return -offset;
	case OWN_END:
		return (uintptr_t)own + OWN - offset;
	case IN_FUNCTION:
		if (!walker.count)
			return 0;
		function = &walker.functions[offset % walker.count];
		return (uintptr_t)image + function->start + offset / 256;
	case NOWHERE:
		return UINT64_C(0x500000000000) + offset;
	case SMALL:
	case PLACES:
		break;
	}
	return offset;
}

static void put_bytes(const void *bytes, size_t size)
{
	memcpy(walker.table + walker.size, bytes, size);
	walker.size += size;
}

static void put_number(size_t at, int64_t number)
{
	int32_t bytes = (int32_t)number;

	memcpy(walker.table + at, &bytes, sizeof(bytes));
}

/* Where things are in memory: the table ends where the object does. */
static uintptr_t place_of(size_t at)
{
	return (uintptr_t)image + IMAGE - TABLE + at;
}

static void put_cie(const uint8_t *piece, size_t size)
{
	static const char *const letters[] = {"zR", "zRS", "", "zPLR"};
	const char *text = letters[piece[4] % 4];
	const uint8_t units[] = {piece[0], piece[1], piece[2]};
	const uint8_t augmentation[] = {1, piece[3]}, three[] = {7, 0x1b, 0, 0, 0, 0, 0x1b};
	static const uint8_t head[] = {0, 0, 0, 0, 0, 0, 0, 0, 1};

	size = size > 5 ? size - 5 : 0;
	if (walker.size + sizeof(head) + CIE_ROOM + size > TABLE)
		return;
	walker.cie = walker.size;
	put_bytes(head, sizeof(head));
	put_bytes(text, strlen(text) + 1);
	put_bytes(units, sizeof(units));
	if (!strcmp(text, "zPLR")) {
		put_bytes(three, sizeof(three));
		put_bytes(&piece[3], 1);
	} else if (*text) {
		put_bytes(augmentation, sizeof(augmentation));
	}
	put_bytes(piece + 5, size);
	put_number(walker.cie, (int64_t)(walker.size - walker.cie - 4));
}

static void put_fde(const uint8_t *piece, size_t size)
{
	struct function *function = &walker.functions[walker.count];
	size_t at = walker.size;

	size = size > 4 ? size - 4 : 0;
	if (walker.count == FUNCTIONS || at + ENTRY_HEAD + size > TABLE)
		return;
	*function = (struct function){half(piece) % IMAGE, half(piece + 2), (uint16_t)at};
	walker.count++;
	memset(walker.table + at, 0, ENTRY_HEAD);
	put_number(at, (int64_t)(ENTRY_HEAD - 4 + size));
	put_number(at + 4, (int64_t)(at + 4 - walker.cie));
	put_number(at + 8, (int64_t)((uintptr_t)image + function->start - place_of(at + 8)));
	put_number(at + 12, function->size);
	walker.size += ENTRY_HEAD;
	put_bytes(piece + 4, size);
}

static int compare(const void *left, const void *right)
{
	const struct function *one = left, *another = right;

	return (int)one->start - (int)another->start;
}

/* .eh_frame_hdr, and what is bent. */
static void finish_table(void)
{
	static const uint8_t forms[] = {1, 0x1b, 0x03, 0x3b};
	uintptr_t start = place_of(0);

	memcpy(walker.table, forms, sizeof(forms));
	put_number(8, (int64_t)walker.count);
	qsort(walker.functions, walker.count, sizeof(walker.functions[0]), compare);
	for (size_t i = 0; i < walker.count; i++) {
		const struct function *function = &walker.functions[i];

		put_number(12 + 8 * i, (int64_t)((uintptr_t)image + function->start - start));
		put_number(16 + 8 * i, function->at);
	}
	for (size_t i = 0; i < walker.bend_count; i++) {
		const uint8_t *piece = walker.bends[i];
		size_t at = half(piece + 1) % TABLE, size = piece[0] - 2U;

		memcpy(walker.table + at, piece + 3, size < TABLE - at ? size : TABLE - at);
	}
}

static void place_table(void)
{
	ElfW(Phdr) part = {.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = TABLE};

	part.p_vaddr = IMAGE - TABLE;
	memcpy(image + sizeof(ElfW(Ehdr)), &part, sizeof(part));
	memcpy(image + IMAGE - TABLE, walker.table, TABLE);
	header = image + IMAGE - TABLE;
}

static void put_words(const uint8_t *piece, size_t size)
{
	char *stack = piece[0] & 1 ? other : own;
	size_t bytes = piece[0] & 1 ? OTHER : OWN, at = half(piece + 1);

	for (size_t i = 3; i + 3 <= size && walker.word_count < WORDS; i += 3, at++) {
		uintptr_t *to = (uintptr_t *)(void *)stack + at % (bytes / sizeof(uintptr_t));

		walker.places[walker.word_count++] = to;
		*to = word(piece + i);
	}
}

/* First the table, since words may be addresses of functions. */
static void put_table_piece(const uint8_t *piece, char letter, size_t size)
{
	if (letter == 'C' && size >= 5)
		put_cie(piece, size);
	if (letter == 'F' && size >= 4)
		put_fde(piece, size);
	if (letter == 'B' && size >= 2 && walker.bend_count < FUNCTIONS)
		walker.bends[walker.bend_count++] = piece - 1;
}

static void put_other_piece(const uint8_t *piece, char letter, size_t size)
{
	if (letter == 'S' && size >= 3)
		put_words(piece, size);
	if (letter == 'R' && size >= 4)
		set_register(&walker.context, piece[0], word(piece + 1));
	if (letter == 'M' && size >= 2)
		walker.most = half(piece) % (UNWIND_MOST + 8);
}

static void put_pieces(const uint8_t *data, size_t size,
		       void (*put)(const uint8_t *piece, char letter, size_t size))
{
	while (size >= 2 && data[1] <= size - 2) {
		put(data + 2, (char)data[0], data[1]);
		size -= 2U + data[1];
		data += 2 + data[1];
	}
}

/* Returns true if a word has the return address. It may be in a register where a walk begins. */
static bool is_there(uintptr_t pc, bool first)
{
	const uintptr_t *words = (const uintptr_t *)(void *)image;

#ifdef __x86_64__
	for (size_t i = 0; first && i < REG_RIP; i++)
		if ((uintptr_t)walker.context.uc_mcontext.gregs[i] == pc)
			return true;
#else
	return first || true; /* registers have other names */
#endif
	for (size_t i = 0; i < walker.word_count; i++)
		if (*walker.places[i] == pc)
			return true;
	for (size_t i = 0; i < IMAGE / sizeof(*words); i++)
		if (words[i] == pc)
			return true;
	return false;
}

/* A SIGNAL has interrupted code at any address; a ROW may have its return address in a register. */
static bool is_of(uintptr_t pc, enum unwind_kind kind)
{
	return unwind_lookup(pc).kind == kind || unwind_lookup(pc - 1).kind == kind;
}

static size_t walk(uintptr_t *pcs)
{
	size_t count, most = walker.most;

	errno = 77;
	count = unwind_context(&walker.context, pcs, most, NULL);
	CHECK(errno == 77);
	CHECK(count <= most && count <= UNWIND_MOST && !count == !most);
	return count;
}

/* The rules are read, then those that have been read are used, then they are read again. */
static void check_walk(void)
{
	uintptr_t *pcs = calloc(walker.most + 1, sizeof(*pcs));
	uintptr_t *again = calloc(walker.most + 1, sizeof(*pcs));
	size_t count;

	unwind_forget();
	count = walk(pcs);
	for (int i = 0; i < 2; i++) {
		memset(again, 0, (walker.most + 1) * sizeof(*again));
		CHECK(walk(again) == count);
		CHECK(!memcmp(pcs, again, (walker.most + 1) * sizeof(*again)));
		unwind_forget();
	}
	for (size_t i = 1; i < count; i++)
		CHECK(pcs[i] ? is_there(pcs[i], i == 1) || is_of(pcs[i - 1], UNWIND_ROW)
			     : is_of(pcs[i - 1], UNWIND_SIGNAL));
	CHECK(!pcs[walker.most]);
	free(pcs);
	free(again);
}

/* A section that ends where the input does. */
static void check_section(const uint8_t *data, size_t size)
{
	const uint8_t *begin = data + 2;
	struct unwind_section section = {begin, data + size, begin + half(data)};

	for (size_t i = 0; i < RULES; i++) {
		uintptr_t pc = (uintptr_t)begin + i * (i < RULES / 2 ? 1 : size / RULES + 1);
		struct unwind_rule rule = {.kind = UNWIND_NOT_READ}, again = rule;
		bool signal = false, found = unwind_rule_read(&section, pc, &rule, &signal);

		CHECK(found || (!signal && !memcmp(&rule, &again, sizeof(rule))));
		CHECK(unwind_rule_read(&section, pc, &again, &signal) == found);
		CHECK(!memcmp(&rule, &again, sizeof(rule)));
		CHECK(!found || rule.kind == UNWIND_LOAD_NEXT ||
		      (rule.kind >= UNWIND_ROW && rule.kind <= UNWIND_LOAD));
	}
}

void fuzz_unwind(const uint8_t *data, size_t size)
{
	static const uint8_t usual[] = {1, 0x78, UNWIND_RETURN, 0x1b, 0};

	if (size >= 3 && data[0] & 1)
		check_section(data + 1, size - 1);
	if (!size || data[0] & 1)
		return;
	on = true;
	if (!arena)
		start();
	memset(&walker, 0, sizeof(walker));
	walker.size = 12 + 8 * FUNCTIONS;
	walker.most = UNWIND_MOST;
	set_register(&walker.context, STACK_POINTER, (uintptr_t)own + 0x100);
	put_cie(usual, sizeof(usual));
	put_pieces(data + 1, size - 1, put_table_piece);
	finish_table();
	place_table();
	put_pieces(data + 1, size - 1, put_other_piece);
	check_walk();
	for (size_t i = 0; i < walker.word_count; i++)
		*walker.places[i] = 0;
	on = false;
}
