/* SPDX-License-Identifier: MIT */
#include "backend/nvtx/text.h"

#include <stdatomic.h>
#include <string.h>

#include "base/strbuf.h"
#include "session/session.h"

/* Interns a text longer than TEXT_LENGTH: its first whole characters and TEXT_CUT. */
static uint32_t cut(const char *text)
{
	struct strbuf start = STRBUF_INIT;
	size_t length = TEXT_LENGTH - strlen(TEXT_CUT);
	uint32_t id = 0;

	for (int i = 0; i < 3 && ((unsigned char)text[length] & 0xc0) == 0x80; i++)
		length--;
	strbuf_append(&start, text, length);
	strbuf_string(&start, TEXT_CUT);
	if (!start.failed)
		id = session_text(start.data, start.length);
	strbuf_free(&start);
	return id;
}

uint32_t text_of(const char *text)
{
	size_t length = text ? strnlen(text, TEXT_LENGTH + 1) : 0;

	if (length > TEXT_LENGTH)
		return cut(text);
	return length ? session_text(text, length) : 0;
}

/* Invalid characters become U+FFFD. */
static void put_character(struct strbuf *to, uint32_t code)
{
	if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		code = 0xfffd;
	if (code < 0x80) {
		strbuf_char(to, (char)code);
		return;
	}
	if (code < 0x800) {
		strbuf_char(to, (char)(0xc0 | code >> 6));
	} else {
		if (code < 0x10000) {
			strbuf_char(to, (char)(0xe0 | code >> 12));
		} else {
			strbuf_char(to, (char)(0xf0 | code >> 18));
			strbuf_char(to, (char)(0x80 | (code >> 12 & 0x3f)));
		}
		strbuf_char(to, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	strbuf_char(to, (char)(0x80 | (code & 0x3f)));
}

uint32_t text_of_wide(const wchar_t *text)
{
	struct strbuf narrow = STRBUF_INIT;
	uint32_t id;

	for (; text && *text && narrow.length <= TEXT_LENGTH; text++)
		put_character(&narrow, (uint32_t)*text);
	id = narrow.failed ? 0 : text_of(strbuf_text(&narrow));
	strbuf_free(&narrow);
	return id;
}

/* No lock is used, since a fork could leave it taken. An entry is assigned once and then
 * constant. */
static struct {
	_Atomic uint64_t key;
	_Atomic uint32_t name;
} categories[CATEGORIES];

static uint64_t key_of(uint32_t domain, uint32_t category)
{
	return (uint64_t)domain << 32 | category;
}

static uint32_t place(uint64_t key, uint32_t probe)
{
	return ((uint32_t)(key * 0x9e3779b97f4a7c15 >> 32) + probe) % CATEGORIES;
}

void category_name(uint32_t domain, uint32_t category, uint32_t name)
{
	uint64_t key = key_of(domain, category);

	for (uint32_t probe = 0; category && probe < CATEGORIES; probe++) {
		uint32_t at = place(key, probe);
		uint64_t there = 0;

		if (!atomic_compare_exchange_strong(&categories[at].key, &there, key) &&
		    there != key)
			continue;
		atomic_store(&categories[at].name, name);
		return;
	}
}

uint32_t category_find(uint32_t domain, uint32_t category)
{
	uint64_t key = key_of(domain, category);

	for (uint32_t probe = 0; category && probe < CATEGORIES; probe++) {
		uint32_t at = place(key, probe);
		uint64_t there = atomic_load(&categories[at].key);

		if (there == key)
			return atomic_load(&categories[at].name);
		if (!there)
			break;
	}
	return 0;
}
