# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of the module, its library and the command (PEP 517), with Python and CMake alone.

The library is built from the source around this folder with every optional part that is there. cairo,
which draws PNG and PDF, is looked for where the wheel is used. `pip install ./python -C library=FILE`
packs a library that is built already, with the command bin/duet beside it, if there is one; `-C cmake-args="..."` hands arguments to CMake. A wheel whose library is linked with GLPK or GSL
is as a whole under the GPL-3, and says so; `-C cmake-args="-DDUET_WITH_GLPK=OFF -DDUET_WITH_GSL=OFF"`
makes one under Apache-2.0.
"""
from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Dict, List, Mapping, Optional

HERE = Path(__file__).resolve().parent
NAME = "duet_scheduling"
PARTS = ("GLPK", "GSL", "CAIRO", "OPENBLAS", "ZLIB", "LZMA", "ZSTD", "OPENMP")
PACKED = HERE / "source"  # where an archive of the module's source has that of the library
LEFT_OUT = ("tests/", "python/", "docs/images/", "build/", ".")  # of the source, in such an archive
METADATA = ("Metadata-Version: 2.4\nName: duet-scheduling\nVersion: {version}\n"
            "Summary: Optimal or provably bounded schedules for CPUs and GPUs, or any processor types\n"
            "License-Expression: {license}\nLicense-File: LICENSE\nRequires-Python: >=3.9\n")
FREE, COPYLEFT = "Apache-2.0", "GPL-3.0-or-later"  # of our code, and of a binary that is linked with one of these:
GPL_PARTS = (b"libglpk.so", b"libgsl.so")
NOTICE = """The code of Duet is under Apache-2.0, see LICENSE. The library in this wheel is linked with GLPK or
GSL, which are under GPL-3.0-or-later: as a whole, wheel and library are under that licence, see
https://www.gnu.org/licenses/gpl-3.0.html. A wheel without them is under Apache-2.0:
pip wheel ./python -C cmake-args="-DDUET_WITH_GLPK=OFF -DDUET_WITH_GSL=OFF"
"""
# The command on the path: it is run by the Python that the wheel is in, which its rules may ask for.
SCRIPT = """#!python
import importlib.util
import os
import sys
command = os.path.join(os.path.dirname(importlib.util.find_spec("duet").origin), "bin", "duet")
os.environ.setdefault("DUET_PYTHON", sys.executable)
os.execv(command, ["duet", *sys.argv[1:]])
"""


def get_requires_for_build_wheel(config_settings: Optional[Mapping[str, str]] = None) -> List[str]:
    return []


def build_wheel(wheel_directory: str, config_settings: Optional[Mapping[str, str]] = None,
                metadata_directory: Optional[str] = None) -> str:
    settings = dict(config_settings or {})
    with tempfile.TemporaryDirectory() as folder:
        library = Path(settings["library"]) if "library" in settings else _build(
            Path(folder), settings.get("cmake-args", ""))
        files = {f"duet/{path.name}": path.read_bytes() for path in sorted((HERE / "duet").iterdir())
                 if path.suffix == ".py" or path.name == "py.typed"}
        files[f"duet/libduet.so.{_version().split('.')[0]}"] = library.read_bytes()
        command = library.parent / "bin" / "duet"
        if command.exists():
            files["duet/bin/duet"] = command.read_bytes()
            files[f"{NAME}-{_version()}.data/scripts/duet"] = SCRIPT.encode()
    version = _version()
    platform = re.sub("[^A-Za-z0-9_]", "_", sysconfig.get_platform())
    name = f"{NAME}-{version}-py3-none-{platform}.whl"
    _pack(Path(wheel_directory) / name, files, version, f"py3-none-{platform}")
    return name


def build_sdist(sdist_directory: str,
                config_settings: Optional[Mapping[str, str]] = None) -> str:
    """An archive of the module's source, with that of the library below source/."""
    version = _version()
    top = f"{NAME}-{version}"
    root = _source()
    with tarfile.open(Path(sdist_directory) / f"{top}.tar.gz", "w:gz") as archive:
        for path in _listed(HERE):
            archive.add(HERE / path, f"{top}/{path}")
        for path in [] if root == PACKED else _listed(root):
            if not path.startswith(LEFT_OUT):
                archive.add(root / path, f"{top}/source/{path}")
        described = METADATA.format(version=version, license=FREE).encode()
        entry = tarfile.TarInfo(f"{top}/PKG-INFO")
        entry.size = len(described)
        archive.addfile(entry, io.BytesIO(described))
    return f"{top}.tar.gz"


def _listed(folder: Path) -> List[str]:
    """The files below a folder that are source: those that git knows, or all but what was built."""
    found = subprocess.run(["git", "ls-files", "-z"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           check=False) if shutil.which("git") else None
    if found is not None and found.returncode == 0 and found.stdout:
        return [name for name in found.stdout.decode().split("\0") if name and (folder / name).is_file()]
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                  if path.is_file() and not {"__pycache__", "build", "dist", ".git"} & set(path.relative_to(folder).parts))


def _source() -> Path:
    root = PACKED if PACKED.exists() else HERE.parent
    if not (root / "CMakeLists.txt").exists():
        raise SystemExit(f"{root} is not Duet's source: expected this folder, python/, inside it, or "
                         "-C library=FILE, a library that is built already")
    return root


def _version() -> str:
    """The version lives in the public header alone."""
    text = (_source() / "include/duet/version.h").read_text()
    return ".".join(re.findall(r"#define DUET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


def _build(folder: Path, arguments: str) -> Path:
    if shutil.which("cmake") is None:
        raise SystemExit("cmake was not found: expected CMake 3.25 or later and a C compiler "
                         "(Debian: cmake gcc libc6-dev make; CMake itself is also `pip install cmake`)")
    parts = [f"-DDUET_WITH_{part}=AUTO" for part in PARTS]
    subprocess.run(["cmake", "-S", str(_source()), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
                    "-DDUET_BUILD_TESTS=OFF", "-DBUILD_SHARED_LIBS=ON", "-DDUET_WITH_MPI=OFF", *parts, *shlex.split(arguments)], check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "duet_library", "duet", "--parallel",
                    str(os.cpu_count() or 1)], check=True)
    return (folder / "libduet.so").resolve()


def _pack(path: Path, files: Dict[str, bytes], version: str, tag: str) -> None:
    info = f"{NAME}-{version}.dist-info"
    packed = any(part in data for data in files.values() for part in GPL_PARTS)
    metadata = METADATA.format(version=version, license=COPYLEFT if packed else FREE)
    if packed:
        metadata += "License-File: NOTICE\n"
        files[f"{info}/licenses/NOTICE"] = NOTICE.encode()
    files[f"{info}/METADATA"] = metadata.encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: duet\nRoot-Is-Purelib: false\n"
                              f"Tag: {tag}\n").encode()
    files[f"{info}/licenses/LICENSE"] = (_source() / "LICENSE").read_bytes()
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    day = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, day)
            entry.compress_type = zipfile.ZIP_DEFLATED
            program = ".so" in name or name.endswith(("/bin/duet", "/scripts/duet"))
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            wheel.writestr(entry, data)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if sys.platform != "linux":
    raise SystemExit(f"wheels are made on Linux, this is {sys.platform}")
