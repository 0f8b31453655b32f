"""Compress the site's files once, ahead of serving them, and remember the result by content."""

import gzip
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli

from .fetch import sha256_of, write_atomically

SMALLEST = 1024
"""Bytes below which compression is not worth a second file."""

COMPRESSED_ALREADY = (".png", ".jpg", ".webp", ".woff2", ".whl", ".zip.gz")
BROTLI_QUALITY = 9
BROTLI_WINDOW = 24
GZIP_LEVEL = 9
WORKERS = 2

ENCODINGS = {
    "br": lambda data: brotli.compress(data, quality=BROTLI_QUALITY, lgwin=BROTLI_WINDOW),
    "gz": lambda data: gzip.compress(data, GZIP_LEVEL, mtime=0),
}
"""Suffix of a compressed file -> how it is made."""


def compress_file(path: Path, cache: Path) -> None:
    """Write ``<path>.br`` and ``<path>.gz`` beside `path` where that makes it smaller."""
    data = path.read_bytes()
    if len(data) < SMALLEST or path.name.endswith(COMPRESSED_ALREADY):
        return
    digest = sha256_of(data)
    for suffix, encode in ENCODINGS.items():
        kept = cache / "compressed" / f"{digest}-{BROTLI_QUALITY if suffix == 'br' else GZIP_LEVEL}.{suffix}"
        if kept.is_file():
            packed = kept.read_bytes()
        else:
            packed = encode(data)
            write_atomically(kept, packed)
        if len(packed) < len(data):
            path.with_name(f"{path.name}.{suffix}").write_bytes(packed)


def compress_files(paths: Iterable[Path], cache: Path) -> None:
    """Compress all `paths`, the largest first, on a few threads (the compressors release the GIL)."""
    ordered = sorted(paths, key=lambda path: -path.stat().st_size)
    with ThreadPoolExecutor(WORKERS) as pool:
        for done in [pool.submit(compress_file, path, cache) for path in ordered]:
            done.result()
