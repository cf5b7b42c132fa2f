"""What sort of file an output is: by its name, else by its bytes; the same on every machine."""

from __future__ import annotations

from aiwg_memory.core.paths import RepoPath

_BY_ENDING = {
    "md": "text/markdown", "txt": "text/plain", "html": "text/html", "csv": "text/csv", "css": "text/css",
    "json": "application/json", "yaml": "application/yaml", "yml": "application/yaml", "xml": "application/xml",
    "pdf": "application/pdf", "zip": "application/zip", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "gif": "image/gif", "svg": "image/svg+xml", "webp": "image/webp",
}  # fmt: skip


def media_type(path: RepoPath, data: bytes) -> str:
    known = _BY_ENDING.get(path.name.rpartition(".")[2].lower())
    if known:
        return known
    try:
        data.decode()
    except UnicodeDecodeError:
        return "application/octet-stream"
    return "application/octet-stream" if b"\0" in data else "text/plain"
