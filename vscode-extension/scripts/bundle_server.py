"""Puts the language server and all that it needs into `bundled`, for one platform or for several.

The server comes as the wheel of this project, everything else by the hashes in `requirements.lock`. What is compiled
comes for every Python that the platforms have; Python picks its own file by the suffix, so they all stand side by side.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

EXTENSION = Path(__file__).resolve().parents[1]
ROOT = EXTENSION.parent
BUNDLED = EXTENSION / "bundled"
DOWNLOADS = ROOT / "build" / "wheels"

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# Everything but what only the command line needs, and websockets: the extension speaks to the server over pipes.
PURE = (
    *("aiohappyeyeballs", "aiosignal", "annotated-types", "async-timeout", "attrs", "cattrs", "exceptiongroup"),
    *(
        "frozenlist",
        "idna",
        "jinja2",
        "jsonschema",
        "jsonschema-specifications",
        "lsprotocol",
        "multidict",
        "propcache",
        "pydantic",
        "pygls",
        "referencing",
        "ruamel-yaml",
        "tomli",
    ),
    *("typing-extensions", "typing-inspection", "yarl"),
)
COMPILED = ("pydantic-core", "ruamel-yaml-clib", "rpds-py")
# Only JSON Schemas need them. In the file for everybody they would add 7 MB; there such assertions say that they are
# not run.
NOT_UNIVERSAL = frozenset({"rpds-py"})
# Their wheels are compiled, and they run without those parts: 1 % slower where a call takes 0.5 s
# (benchmarks/README.md); templates escape nothing, so MarkupSafe hardly runs at all. Those of aiohttp would add 18 MB
# to the universal package, which has 55.
STRIPPED = ("aiohttp", "markupsafe")
COMPILED_FILES = (".so", ".pyd", ".pyx", ".pxd", ".pxi")
# Platforms as the editor calls them, and the tags of the wheels that run there.
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "alpine-x64": ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
    "alpine-arm64": ("musllinux_1_2_aarch64", "musllinux_1_1_aarch64"),
    "darwin-x64": ("macosx_10_15_x86_64", "macosx_10_13_x86_64", "macosx_10_12_x86_64", "macosx_10_9_x86_64"),
    "darwin-arm64": ("macosx_13_0_arm64", "macosx_11_0_arm64"),
    "win32-x64": ("win_amd64",),
    "win32-arm64": ("win_arm64",),
}
# In one file for everybody: the commonest platforms, so that it stays below 60 MB.
UNIVERSAL = ("linux-x64", "linux-arm64", "darwin-arm64", "win32-x64")
# How pip is asked for a wheel without anything compiled, which every Python of ours can use.
ANYWHERE = ("--platform", "any", "--implementation", "py", "--abi", "none", "--python-version", PYTHONS[0])
# There are no wheels for these, so that with them files can only be checked.
MISSING = frozenset({("win32-arm64", "3.10")})
# Not every platform has a compiled YAML parser; the one in pure Python takes its place there. Without rpds-py JSON
# Schemas are not checked.
OPTIONAL = frozenset({"ruamel-yaml-clib", "rpds-py"})


def locked(names: tuple[str, ...]) -> str:
    """Return the entries of the lock for these packages, with their hashes; of several, that for the oldest Python."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text)
    found = {entry.partition("==")[0]: entry.rstrip() for entry in reversed(entries) if "==" in entry}
    # The platform that is downloaded for is not the one that pip runs on, so the conditions are left out.
    return "".join(re.sub(r" ; [^\\]*", " ", found[name]) + "\n" for name in names)


def pip(*arguments: str) -> str:
    """Run pip; return what it complains about, or nothing where it succeeds."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - pip, with arguments of our own.
    return done.stderr.strip() or f"pip ended with {done.returncode}." if done.returncode else ""


def download(names: tuple[str, ...], folder: Path, *options: str) -> list[Path]:
    """Download the wheels of some packages by their hashes and return them; what was there before is taken as it is.

    What is optional may be missing; everything else ends the script.
    """
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        lock = partial / "wanted.txt"
        lock.write_text(locked(names), encoding="utf-8")
        required = ("--require-hashes", "--no-deps", "--only-binary", ":all:", "--requirement", str(lock))
        complaint = pip("download", "--dest", str(partial), *required, *options)
        if complaint and not OPTIONAL.issuperset(names):
            sys.exit(f"{folder.name} cannot be downloaded: {complaint}")
        if complaint:
            shutil.rmtree(partial)
            return []
        partial.rename(folder)
    return sorted(folder.glob("*.whl"))


def download_compiled(name: str, target: str, python: str) -> list[Path]:
    """Download what is compiled for a platform and a Python."""
    version = locked((name,)).split()[0].partition("==")[2]
    tags = [option for tag in PLATFORMS[target] for option in ("--platform", tag)]
    folder = DOWNLOADS / f"{name}-{version}-{target}-{python}"
    return download((name,), folder, *tags, "--python-version", python, "--implementation", "cp")


def unpack(wheel: Path, folder: Path, *, without: tuple[str, ...] = ()) -> None:
    """Unpack a wheel beside the others, without the files that end in one of some ways."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if not name.endswith(without)])


def bundle(targets: tuple[str, ...]) -> None:
    """Write the folder anew."""
    shutil.rmtree(BUNDLED, ignore_errors=True)
    libs = BUNDLED / "libs"
    with tempfile.TemporaryDirectory() as folder:
        complaint = pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, str(ROOT))
        if complaint:
            sys.exit(f"The wheel of the server cannot be built: {complaint}")
        for wheel in Path(folder).glob("*.whl"):
            unpack(wheel, libs)
    digest = hashlib.sha256(locked(PURE).encode()).hexdigest()[:12]
    for wheel in download(PURE, DOWNLOADS / f"pure-{digest}", *ANYWHERE):
        unpack(wheel, libs)
    for name in STRIPPED:
        for wheel in download_compiled(name, targets[0], PYTHONS[-1]):
            unpack(wheel, libs, without=COMPILED_FILES)
    compiled = [name for name in COMPILED if len(targets) == 1 or name not in NOT_UNIVERSAL]
    for target in targets:
        for python in PYTHONS:
            if (target, python) in MISSING:
                continue
            for name in compiled:
                for wheel in download_compiled(name, target, python):
                    unpack(wheel, BUNDLED / "compiled" / target)
    shutil.copy(EXTENSION / "server" / "start.py", BUNDLED)


def this_platform() -> str:
    """Return the name of the platform that this runs on."""
    sys.path.insert(0, str(EXTENSION / "server"))
    from start import platform_name  # noqa: PLC0415 - a script beside this one.

    return platform_name()


def main() -> None:
    """Bundle for the platform that is named, for this one, or for the commonest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platform", nargs="?", default=this_platform(), choices=[*PLATFORMS, "universal"])
    chosen = parser.parse_args().platform
    bundle(UNIVERSAL if chosen == "universal" else (chosen,))


if __name__ == "__main__":
    main()
