"""Compress the site's files once, ahead of serving them, and remember the result by content."""

import gzip
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli

from .fetch import sha256_of, write_atomically

SMALLEST = 1024
"""Bytes below which compression is not worth a second file."""

COMPRESSED_ALREADY = (".png", ".jpg", ".webp", ".woff2", ".whl", ".zip.gz")
BROTLI_WINDOW = 24
WORKERS = 2

LARGE = 32_000_000
"""A file of more bytes is a memory snapshot, another one at each build: it is compressed quickly, which makes it a
twentieth larger than at leisure, and the result is not kept."""

BROTLI_QUALITY, BROTLI_QUALITY_LARGE = 9, 7
GZIP_LEVEL, GZIP_LEVEL_LARGE = 9, 6


def encodings(size: int) -> dict[str, tuple[int, Callable[[bytes], bytes]]]:
    """Return, for a file of `size` bytes, the suffix of each compressed copy -> the level and how it is made."""
    quality, level = (BROTLI_QUALITY, GZIP_LEVEL) if size <= LARGE else (BROTLI_QUALITY_LARGE, GZIP_LEVEL_LARGE)
    return {
        "br": (quality, lambda data: brotli.compress(data, quality=quality, lgwin=BROTLI_WINDOW)),
        "gz": (level, lambda data: gzip.compress(data, level, mtime=0)),
    }


def compress_file(path: Path, cache: Path) -> None:
    """Write ``<path>.br`` and ``<path>.gz`` beside `path` where that makes it smaller."""
    data = path.read_bytes()
    if len(data) < SMALLEST or path.name.endswith(COMPRESSED_ALREADY):
        return
    digest = sha256_of(data)
    for suffix, (level, encode) in encodings(len(data)).items():
        kept = cache / "compressed" / f"{digest}-{level}.{suffix}"
        if kept.is_file():
            packed = kept.read_bytes()
        else:
            packed = encode(data)
            if len(data) <= LARGE:
                write_atomically(kept, packed)
        if len(packed) < len(data):
            path.with_name(f"{path.name}.{suffix}").write_bytes(packed)


def compress_files(paths: Iterable[Path], cache: Path) -> None:
    """Compress all `paths`, the largest first, on a few threads (the compressors release the GIL)."""
    ordered = sorted(paths, key=lambda path: -path.stat().st_size)
    with ThreadPoolExecutor(WORKERS) as pool:
        for done in [pool.submit(compress_file, path, cache) for path in ordered]:
            done.result()
