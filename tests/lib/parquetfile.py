# SPDX-License-Identifier: MIT
"""A strict reader of the Parquet files that computeprof writes: doc/FORMAT, section 23, and the
specification of the format (github.com/apache/parquet-format) are all it knows."""

import collections
import struct
import zlib

MAGIC = b"PAR1"
INT64, FLOAT, DOUBLE, BYTE_ARRAY = 2, 4, 5, 6
PLAIN, RLE, DELTA_BINARY_PACKED, RLE_DICTIONARY = 0, 3, 5, 8
NANOSECONDS = {8: {1: True, 2: {3: {}}}}  # the logical type: UTC, nanoseconds
TYPES = {
    (INT64, None, "{}"): "number",
    (INT64, None, repr(NANOSECONDS)): "time",
    (BYTE_ARRAY, 0, repr({1: {}})): "text",
    (FLOAT, None, "{}"): "float",
    (DOUBLE, None, "{}"): "double",
}
MOST_ROWS = 131072


class Invalid(Exception):
    """The file is not as it has to be."""


def require(fine, what):
    if not fine:
        raise Invalid(what)


class Thrift:
    """Reads structs of Thrift's compact protocol, as dictionaries by the numbers of the fields."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        require(self.at < len(self.data), "a struct is cut off")
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind in (4, 5, 6):
            return self.signed()
        if kind == 8:
            size = self.varint()
            require(size <= len(self.data) - self.at, "a string is cut off")
            self.at += size
            return self.data[self.at - size : self.at]
        if kind == 9:
            head = self.byte()
            count = self.varint() if head >> 4 == 15 else head >> 4
            return [self.value(head & 15) for _ in range(count)]
        require(kind == 12, "an unknown type in a struct: %d" % kind)
        return self.struct()

    def struct(self):
        fields, last = {}, 0
        while True:
            head = self.byte()
            if not head:
                return fields
            require(head >> 4, "a field without a difference")
            last += head >> 4
            fields[last] = self.value(head & 15)


def unpack(data, width, count):
    """Numbers of `width` bits, the first ones in the lowest bits."""
    require(len(data) * 8 >= width * count, "too few bits")
    bits, mask = int.from_bytes(data, "little"), (1 << width) - 1
    if not width:
        return [0] * count
    numbers = []
    for at in range(0, count, 32):  # shifts of a short number are faster
        part = bits >> at * width & (1 << 32 * width) - 1 if count > 32 else bits
        for _ in range(min(32, count - at)):
            numbers.append(part & mask)
            part >>= width
    return numbers


def runs(data, at, end, width, count):
    """The numbers of a hybrid of runs and packed groups, which fill the bytes up to `end`."""
    reader, numbers, size = Thrift(data, at), [], (width + 7) // 8
    while reader.at < end:
        head = reader.varint()
        if head & 1:
            left, groups = reader.at, head >> 1
            while groups:  # some at a time: a long number is slow
                now = min(groups, 64)
                part = data[left : left + now * width]
                numbers += unpack(part, width, now * 8)
                left, groups = left + now * width, groups - now
            require(len(numbers) - count < 8, "groups after the last number")
            require(not any(numbers[count:]), "padding that is not 0")
            del numbers[count:]
            reader.at = left
        else:
            require(head, "a run of no number")
            value = int.from_bytes(data[reader.at : reader.at + size], "little")
            require(value < 1 << width, "a run of a number with more bits")
            numbers += [value] * (head >> 1)
            reader.at += size
    require(reader.at == end and len(numbers) == count, "wrong number of numbers")
    return numbers


def deltas(data, at, count):
    """The numbers of DELTA_BINARY_PACKED, and the place after them."""
    reader = Thrift(data, at)
    block, minis, total = reader.varint(), reader.varint(), reader.varint()
    require(block % 128 == 0 and block // minis % 32 == 0, "size of a block of differences")
    require(total == count, "number of differences")
    numbers, value = [reader.signed()], None
    value = numbers[0]
    while len(numbers) < count:
        least, widths = reader.signed(), [reader.byte() for _ in range(minis)]
        for width in widths:
            if len(numbers) == count:
                require(width == 0, "bits of an unused miniblock")
                continue
            size = block // minis * width // 8
            part = unpack(data[reader.at : reader.at + size], width, block // minis)
            reader.at += size
            left = count - len(numbers)
            require(not any(part[left:]), "padding that is not 0")
            for more in part[:left]:
                value = (value + least + more + (1 << 63)) % (1 << 64) - (1 << 63)
                numbers.append(value)
    return numbers, reader.at


def plain(data, at, kind, count):
    """The values of PLAIN, up to the end."""
    if kind == BYTE_ARRAY:
        values = []
        for _ in range(count):
            (size,) = struct.unpack_from("<I", data, at)
            require(size <= len(data) - at - 4, "a text is cut off")
            values.append(data[at + 4 : at + 4 + size].decode())
            at += 4 + size
    else:
        letter = {INT64: "q", FLOAT: "f", DOUBLE: "d"}[kind]
        values = list(struct.unpack_from("<%d%s" % (count, letter), data, at))
        at += struct.calcsize(letter) * count
    require(at == len(data), "bytes after the values")
    return values


class File:
    """The contents: `columns` are the names with their types, `values` the values of each, None
    without one; `metadata` is that of the file, `groups` the rows of each row group."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = data = file.read()
        require(data[:4] == MAGIC == data[-4:] and len(data) >= 12, "no Parquet file")
        size = int.from_bytes(data[-8:-4], "little")
        reader = Thrift(data, len(data) - 8 - size)
        footer = reader.struct()
        require(reader.at == len(data) - 8, "size of the footer")
        self.made_by = footer[6].decode()
        self.metadata = {pair[1].decode(): pair[2].decode() for pair in footer[5]}
        require(len(self.metadata) == len(footer[5]), "a key is there twice")
        root, *leaves = footer[2]
        require(root[5] == len(leaves) and 1 not in root, "the schema is no table")
        require(footer[7] == [{1: {}}] * len(leaves), "orders of the columns")
        self.kinds = [leaf[1] for leaf in leaves]
        self.columns = collections.OrderedDict()
        for leaf in leaves:
            require(leaf[3] == 1, "a column is not optional")
            key = leaf[1], leaf.get(6), repr(leaf.get(10, {}))
            self.columns[leaf[4].decode()] = TYPES[key]
        require(len({name.lower() for name in self.columns}) == len(leaves), "columns' names")
        self.values, self.groups, self.spans = {name: [] for name in self.columns}, [], []
        self.encodings, self.codecs = collections.defaultdict(set), set()
        for group in footer[4]:
            self.group(group)
        require(footer[3] == sum(self.groups), "number of rows")
        self.spans.sort()
        place = 4
        for start, end in self.spans:  # all bytes are of a page
            require(start == place, "a gap between the pages")
            place = end
        require(place == len(data) - 8 - size, "bytes before the footer")

    def group(self, group):
        rows = group[3]
        require(0 < rows <= MOST_ROWS and len(group[1]) == len(self.columns), "a row group")
        self.groups.append(rows)
        for name, kind, chunk in zip(self.columns, self.kinds, group[1]):
            self.values[name] += self.chunk(name, kind, chunk, rows)
        require(group[2] == sum(chunk[3][6] for chunk in group[1]), "plain size of a group")
        require(group[6] == sum(chunk[3][7] for chunk in group[1]), "size of a group")

    def chunk(self, name, kind, chunk, rows):
        meta = chunk[3]
        require(meta[1] == kind and meta[3] == [name.encode()], "column of a chunk")
        require(meta[5] == rows, "rows of a chunk")
        start = meta.get(11, meta[9])
        require(chunk[2] == start, "place of a chunk")
        self.codecs.add(meta[4])
        at, dictionary, plain_size = start, None, 0
        if 11 in meta:
            header, page, at, plain_size = self.page(at, meta[4])
            require(header[1] == 2 and header[7][2] == PLAIN, "page of a dictionary")
            dictionary = plain(page, 0, kind, header[7][1])
            require(len(set(dictionary)) == len(dictionary), "a value is there twice")
        require(at == meta[9], "place of the data page")
        header, page, at, more = self.page(at, meta[4])
        require(header[1] == 0 and header[5][1] == rows, "data page")
        require((at - start, plain_size + more) == (meta[7], meta[6]), "size of a chunk")
        self.spans.append((start, at))
        self.encodings[name].add(header[5][2])
        require(set(meta[2]) == {PLAIN, RLE, header[5][2]}, "encodings of a chunk")
        values = self.data_page(header[5], page, kind, dictionary, rows)
        known = [value for value in values if value is not None]
        statistics = {3: rows - len(known)}
        if kind == INT64 and known:
            statistics[5] = struct.pack("<q", max(known))
            statistics[6] = struct.pack("<q", min(known))
        require(meta[12] == statistics, "statistics of " + name)
        return values

    def page(self, at, codec):
        """The header, the bytes, the place after the page, and its size before compression."""
        reader = Thrift(self.data, at)
        header = reader.struct()
        data, head = self.data[reader.at : reader.at + header[3]], reader.at - at
        require(len(data) == header[3], "a page is cut off")
        if codec == 2:
            inflate = zlib.decompressobj(31)
            data = inflate.decompress(data) + inflate.flush()
            require(inflate.eof and not inflate.unused_data, "a page is not one gzip file")
        else:
            require(codec == 0, "codec")
        require(len(data) == header[2], "size of a page")
        return header, data, reader.at + header[3], head + len(data)

    @staticmethod
    def data_page(header, page, kind, dictionary, rows):
        require(header[3] == header[4] == RLE, "encoding of the levels")
        size = int.from_bytes(page[:4], "little")
        levels = runs(page, 4, 4 + size, 1, rows)
        count, at = sum(levels), 4 + size
        if header[2] == RLE_DICTIONARY:
            require(dictionary, "an empty dictionary")
            width = page[at]
            require(width == max((len(dictionary) - 1).bit_length(), 1), "bits of an index")
            numbers = runs(page, at + 1, len(page), width, count)
            require(set(numbers) == set(range(len(dictionary))), "indices of the dictionary")
            values = [dictionary[number] for number in numbers]
        elif header[2] == DELTA_BINARY_PACKED:
            require(dictionary is None and kind == INT64, "differences")
            values, end = deltas(page, at, count)
            require(end == len(page), "bytes after the differences")
        else:
            require(dictionary is None and header[2] == PLAIN, "encoding of the values")
            values = plain(page, at, kind, count)
        values = iter(values)
        return [next(values) if level else None for level in levels]

    def rows(self):
        """Each row as a dictionary."""
        for values in zip(*self.values.values()):
            yield dict(zip(self.values, values))
