"""Starts the language server that the extension contains, with nothing of what is installed around it.

The extension runs it with `-I -S`, so that neither variables of the environment nor installed packages count. All that
the server needs stands beside this file: what is pure Python in `libs`, and what is compiled in a folder for each
platform, in which Python itself picks the file for its version. `--probe` tells the extension what this Python is.

Any Python must be able to read this file, old ones too, or it could not tell that it is too old.
"""

import os
import platform
import sys
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))
OLDEST = (3, 10)

# What Python calls systems and processors, and what the folders are called: as the editor calls its platforms.
SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "win32"}
PROCESSORS = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def platform_name():
    """Return the name of the platform, such as `linux-x64`."""
    system = SYSTEMS.get(sys.platform, sys.platform)
    if "musl" in (sysconfig.get_config_var("SOABI") or ""):
        system = "alpine"
    processor = platform.machine().lower()
    return system + "-" + PROCESSORS.get(processor, processor)


def compiled_folder():
    """Return the folder with what is compiled for this Python, or None where the extension has nothing for it."""
    folder = os.path.join(HERE, "compiled", platform_name())
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    fits = suffix and os.path.exists(os.path.join(folder, "pydantic_core", "_pydantic_core" + suffix))
    return folder if fits else None


def probe():
    """Print what the extension wants to know, as JSON on one line."""
    import json

    found = {
        "executable": sys.executable,
        "version": ".".join(map(str, sys.version_info[:3])),
        "fits": sys.version_info >= OLDEST,
        "grades": compiled_folder() is not None,
        "platform": platform_name(),
        "implementation": platform.python_implementation(),
    }
    print(json.dumps(found))


def serve():
    """Run the server with our own packages in front of the standard library's."""
    sys.path[:0] = [folder for folder in (os.path.join(HERE, "libs"), compiled_folder()) if folder]
    from rubric_server.main import main

    main()


if __name__ == "__main__":
    if "--platform" in sys.argv:
        print(platform_name())
    elif "--probe" in sys.argv:
        probe()
    else:
        serve()
