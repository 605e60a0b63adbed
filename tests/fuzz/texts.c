/* SPDX-License-Identifier: MIT */
#include "texts.h"

#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "model/method.h"
#include "output/output.h"
#include "output/unescape.h"

/* Returns the code point at `text` and its length; 0 if it is not UTF-8 in its shortest form. */
static size_t code_point(const uint8_t *text, size_t size, uint32_t *point)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = *text < 0x80 ? 1 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;

	*point = length == 1 ? *text : *text & (0x7fu >> length);
	if ((*text >= 0x80 && *text < 0xc0) || *text >= 0xf8 || length > size)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (text[i] & 0x3f);
	}
	if (*point < least[length] || *point > 0x10ffff || (*point >= 0xd800 && *point < 0xe000))
		return 0;
	return length;
}

bool text_is_plain(const char *text, size_t size)
{
	const uint8_t *at = (const uint8_t *)text;

	for (size_t length; size; at += length, size -= length) {
		uint32_t point;

		length = code_point(at, size, &point);
		if (!length || (point < 0x20 && point != '\n') || (point >= 0x7f && point < 0xa0) ||
		    point == 0x2028 || point == 0x2029)
			return false;
	}
	return true;
}

bool text_has(const char *text, size_t size, char byte)
{
	return size && memchr(text, byte, size);
}

bool text_means(struct log_text text, const char *bytes, size_t size)
{
	struct strbuf plain = STRBUF_INIT;
	bool same;

	unescape_name(text, &plain);
	same = !plain.failed && plain.length == size &&
	       (!size || !memcmp(plain.data, bytes, size));
	strbuf_free(&plain);
	return same;
}

/* The device's name is the rest of a line: blanks around it cannot be distinguished. */
static void check_header(const struct logreader *reader, const struct output_target *target)
{
	const struct log_header *header = &reader->header;
	const char *name = target->device->name;
	size_t length = strlen(name);

	CHECK(header->api_known && header->api == target->layout.api);
	CHECK(header->csv == (target->layout.format == FORMAT_CSV));
	CHECK(header->device_known && header->device == target->device->number);
	for (; *name == ' '; name++)
		length--;
	while (length && name[length - 1] == ' ')
		length--;
	CHECK(text_means(header->device_name, name, length));
}

static void check_read(const struct strbuf *log, const struct output_target *target,
		       const struct record *record)
{
	struct log_text value;
	struct logreader reader;
	size_t length;
	const char *method = method_text(record, target->layout.dialect, target->catalog->names,
					 &length);

	CHECK(!logreader_open(&reader, log->data, log->length));
	check_header(&reader, target);
	CHECK(logreader_next(&reader) == 1);
	CHECK(logreader_value(&reader, "method", &value) && text_means(value, method, length));
	CHECK(logreader_next(&reader) == 0);
	logreader_close(&reader);
}

static void check_one(struct output_target *target, const struct record *record)
{
	const struct output *output = output_formats[target->layout.format];
	struct layout *layout = &target->layout;
	struct strbuf log = STRBUF_INIT;
	size_t header;

	layout->columns = column_set(UINT32_MAX, layout->api, layout->dialect);
	output->open(target, &log);
	header = log.length;
	output->write(target, record, &log);
	CHECK(!log.failed && log.length > header && log.data[header - 1] == '\n');
	CHECK(memchr(log.data + header, '\n', log.length - header) == log.data + log.length - 1);
	CHECK(text_is_plain(log.data, log.length));
	check_read(&log, target, record);
	strbuf_free(&log);
}

void check_log_of(const struct catalog *catalog, const struct record *record, int only)
{
	struct output_target target = {
		.catalog = catalog,
		.device = catalog_device(catalog, record->device),
		.context = catalog_context(catalog, record->context),
		.counters = catalog_counters_of(catalog, record->device),
	};

	for (int kind = 0; kind < 8; kind++) {
		if (only >= 0 && only != kind)
			continue;
		target.layout = (struct layout){
			.api = (enum api)(kind & 1),
			.dialect = (enum dialect)(kind >> 1 & 1),
			.format = (enum format)(kind >> 2),
		};
		check_one(&target, record);
	}
}
