"""Prints the SHA-256 of what Python's decoders make of an answer: one line for each, "name hash".

The one argument is the server's address; it answers /gzip and /zstd in those codings.
"""

import gzip
import hashlib
import io
import sys
import urllib.request
import zlib

import urllib3
import zstandard

server = sys.argv[1]


def show(name, body):
    print(name, hashlib.sha256(body).hexdigest())


def ask(coding):
    request = urllib.request.Request(f"{server}/{coding}", headers={"Accept-Encoding": coding})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.headers["Content-Encoding"] == coding
        return answer.read()


def by_bytes(decoder, packed, count):
    parts = [decoder.decompress(packed[at : at + count]) for at in range(0, len(packed), count)]
    assert decoder.eof and not decoder.unused_data
    return b"".join(parts)


gzipped = ask("gzip")
show("gzip", gzip.decompress(gzipped))
show("zlib", zlib.decompressobj(31).decompress(gzipped))
show("zlib-7-bytes-at-once", by_bytes(zlib.decompressobj(31), gzipped, 7))
frames = zstandard.ZstdDecompressor(max_window_size=8 << 20)
show("zstandard", frames.stream_reader(io.BytesIO(ask("zstd")), read_across_frames=True).read())
for coding in ("gzip", "zstd"):
    pool = urllib3.PoolManager()
    answer = pool.request("GET", f"{server}/{coding}", headers={"Accept-Encoding": coding})
    show(f"urllib3-{coding}", answer.data)
    answer = pool.request("GET", f"{server}/{coding}", preload_content=False)
    show(f"urllib3-{coding}-streamed", b"".join(answer.stream(1000)))
