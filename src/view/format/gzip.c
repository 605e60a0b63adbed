/* SPDX-License-Identifier: MIT */
#include "view/format/gzip.h"

#include "config.h"

#if WITH_ZLIB
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "view/format/libz.h"

/*
 * The fastest level: successive lines of a timeline differ little, so files shrink to a ninth.
 * Level 6 takes three times as long for a twelfth.
 */
enum { LEVEL = 1, GZIP_WINDOW = 15 + 16, MEMORY = 9, PIECE = 1 << 16 };

struct sink_gzip {
	z_stream stream;
	unsigned char piece[PIECE];
};

int gzip_check(struct strbuf *error)
{
	return libz_open(error);
}

/* As deflateInit2 of zlib.h, which is a macro. */
static int begin(z_stream *stream)
{
	return libz.deflateInit2_(stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY,
				  Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof(*stream));
}

struct sink_gzip *gzip_new(struct strbuf *error)
{
	struct sink_gzip *gzip;

	if (gzip_check(error))
		return NULL;
	gzip = calloc(1, sizeof(*gzip));
	if (gzip && begin(&gzip->stream) == Z_OK)
		return gzip;
	strbuf_string(error, "out of memory");
	free(gzip);
	return NULL;
}

void gzip_free(struct sink_gzip *gzip)
{
	if (gzip)
		libz.deflateEnd(&gzip->stream);
	free(gzip);
}

int gzip_write(struct sink_gzip *gzip, int fd, const char *bytes, size_t size, bool last)
{
	z_stream *stream = &gzip->stream;

	stream->next_in = (const Bytef *)bytes;
	stream->avail_in = (uInt)size; /* a sink's text is at most as long as a frame's names */
	do {
		size_t made;

		stream->next_out = gzip->piece;
		stream->avail_out = PIECE;
		if (libz.deflate(stream, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
			return EINVAL;
		made = PIECE - stream->avail_out;
		if (file_write(fd, (const char *)gzip->piece, made) < made)
			return errno ? errno : EIO;
	} while (!stream->avail_out);
	return 0;
}

int gzip_put(struct strbuf *to, const char *bytes, size_t size)
{
	size_t most = size + size / 4 + 128; /* of data that cannot be compressed, and more */
	z_stream stream = {.next_in = (const Bytef *)bytes, .avail_in = (uInt)size};
	int result;

	stream.next_out = (Bytef *)strbuf_reserve(to, most);
	stream.avail_out = (uInt)most;
	if (!stream.next_out || begin(&stream) != Z_OK)
		return -1;
	result = libz.deflate(&stream, Z_FINISH);
	libz.deflateEnd(&stream);
	to->length += most - stream.avail_out;
	return result == Z_STREAM_END ? 0 : -1;
}

#else

int gzip_check(struct strbuf *error)
{
	strbuf_string(error, "this computeprof was built without zlib");
	return -1;
}

struct sink_gzip *gzip_new(struct strbuf *error)
{
	gzip_check(error);
	return NULL;
}

void gzip_free(struct sink_gzip *gzip)
{
	(void)gzip;
}

int gzip_write(struct sink_gzip *gzip, int fd, const char *bytes, size_t size, bool last)
{
	(void)gzip, (void)fd, (void)bytes, (void)size, (void)last;
	return -1;
}

int gzip_put(struct strbuf *to, const char *bytes, size_t size)
{
	(void)to, (void)bytes, (void)size;
	return -1;
}

#endif
