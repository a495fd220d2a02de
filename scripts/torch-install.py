#!/usr/bin/env python3
"""Downloads the pinned wheels with pip and unpacks libtorch from them: torch-install.py cpu|cuda TARGET

Creates TARGET completely or not at all. Prints every error as one line on stderr.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

# glibc parts of the manylinux platform tags. The wheels have different ones, and pip accepts a wheel with any of them.
PLATFORMS = ["_2_28", "_2_27", "_2_26", "_2_25", "_2_24", "_2_18", "_2_17", "_2_12", "_2_5", "2014"]


def fail(message):
    sys.exit(f"catapult: {message}")


def wanted(kind, name):
    """Returns true if building with libtorch or running it needs this file of a wheel."""
    if name.endswith("/"):
        return False
    if kind == "cuda":
        return name.startswith(("torch/lib/", "torch/include/", "nvidia/")) and not name.endswith("libtorch_python.so")
    library = name.rsplit("/", 1)[-1]
    return name.startswith("torch/include/") or library in (
        "libtorch_cpu.so",
        "libc10.so",
        "libgomp.so.1",
        "libcudart.so.13",
        "libcupti.so.13",
    )


def download(kind, folder):
    requirements = pathlib.Path(__file__).parent / f"torch-{kind}.txt"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    if subprocess.run(pip + ["--version"], capture_output=True).returncode != 0:
        fail(f"pip is missing: install it for {sys.executable} (it downloads libtorch), or set LIBTORCH to a libtorch 2.11.0")
    command = pip + ["download", "--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=cp"]
    command += ["--python-version=3.11", f"--dest={folder}", f"--requirement={requirements}"]
    command += [f"--platform=manylinux{tag}_x86_64" for tag in PLATFORMS]
    if not sys.stderr.isatty():
        command += ["--quiet", "--progress-bar=off"]
    result = subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        errors = [line.strip() for line in result.stderr.splitlines() if line.strip()]
        # pip reports a wrong hash on several lines. The last two contain the expected and the actual hash.
        told = [line for line in errors if line.startswith("ERROR")] or errors[-1:] or ["no message"]
        fail("the download of libtorch failed: " + " ".join(told + errors[-2:] if "HASH" in told[0] else told[-1:]))


def unpack(kind, wheel, target):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if wanted(kind, name):
                path = target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, open(path, "wb") as out:
                    shutil.copyfileobj(source, out, 1 << 20)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("cpu", "cuda"):
        fail("usage: torch-install.py cpu|cuda TARGET")
    kind, target = sys.argv[1], pathlib.Path(sys.argv[2])
    size = "0.6 GB" if kind == "cpu" else "2.5 GB"
    print(f"catapult: downloading libtorch 2.11.0 ({kind}, {size}), once", file=sys.stderr)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="download-") as folder:
        wheels = pathlib.Path(folder) / "wheels"
        download(kind, wheels)
        tree = pathlib.Path(folder) / "tree"
        for wheel in sorted(wheels.glob("*.whl")):
            unpack(kind, wheel, tree)
            wheel.unlink()
        if kind == "cpu":
            # The wheel's libtorch.so is empty and needs the CUDA library, so a linker script replaces it.
            (tree / "torch/lib/libtorch.so").write_text("INPUT(libtorch_cpu.so libc10.so)\n")
        (tree / "torch/build-version").write_text("2.11.0\n")
        tree.rename(target)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        fail(f"libtorch could not be unpacked: {error}")
    except KeyboardInterrupt:
        fail("interrupted")
