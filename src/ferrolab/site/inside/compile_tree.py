"""Runs inside Pyodide: compile source trees and the standard library to this Python's bytecode.

Sourceless ``.pyc`` files, hash-based and unchecked (never compared with a source), docstrings and
asserts dropped. The host's compiler cannot do this: its magic number is another one.
"""

import importlib._bootstrap_external as bootstrap
import os
import zipfile

OPTIMIZE = 2
NO_SOURCE_HASH = b"\0" * 8


def bytecode(source: bytes, name: str) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=OPTIMIZE)
    return bytes(bootstrap._code_to_hash_pyc(code, NO_SOURCE_HASH, checked=False))


def compile_tree(source_root: str, target_root: str) -> list[str]:
    """Write every file of `source_root` to `target_root`, ``.py`` as ``.pyc``; return the skipped ones."""
    skipped = []
    for folder, _, names in os.walk(source_root):
        relative = os.path.relpath(folder, source_root)
        target = os.path.join(target_root, relative)
        os.makedirs(target, exist_ok=True)
        for name in sorted(names):
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            if name.endswith(".py"):
                try:
                    data = bytecode(data, os.path.normpath(os.path.join(relative, name)))
                except SyntaxError as error:
                    skipped.append(f"{os.path.join(relative, name)}: {error}")
                    continue
                name += "c"
            with open(os.path.join(target, name), "wb") as file:
                file.write(data)
    return skipped


def compile_zip(source: str, target: str) -> None:
    """Write the zip `source` to `target`, stored, with every ``.py`` as ``.pyc``."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for name in sorted(old.namelist()):
            if name.endswith("/"):
                continue
            data = old.read(name)
            if name.endswith(".py"):
                data, name = bytecode(data, name), name + "c"
            new.writestr(zipfile.ZipInfo(name), data)


def run(argument: dict) -> dict:
    skipped = []
    for source, target in argument.get("trees", []):
        skipped += compile_tree(source, target)
    for source, target in argument.get("zips", []):
        compile_zip(source, target)
    return {"skipped": skipped}
