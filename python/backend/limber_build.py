"""Builds the wheel of the Python package: a build backend (PEP 517) of the standard library alone.

`pip install .` calls build_wheel(); `make python` runs this file:  limber_build.py FOLDER

The wheel has python/limber, the library liblimber.so and the module limber._built, which is written here:
    VERSION   of the project, from CMakeLists.txt
    CDEF      the declarations of include/limber/*.h, as cffi takes them
    NEEDED    the shared libraries that liblimber.so needs: file name -> (where it was found, its Debian package)

CMake builds the library in build/, as `make` does. With LIMBER_BUILD_DIR in the environment, the library of that
build tree is taken as it is.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LATE = ("ARPACK_LIBRARY", "METIS_LIBRARY", "MUMPS_LIBRARY", "pkgcfg_lib_LAPACKE_lapacke", "pkgcfg_lib_BLAS_openblas",
        "pkgcfg_lib_BLAS_blas")  # what CMake calls the libraries that are loaded when they are used


def version():
    return re.search(r"project\(limber VERSION ([0-9.]+)", (TOP / "CMakeLists.txt").read_text())[1]


# --- what limber._built has ---------------------------------------------------------------------


def declarations(header, seen):
    """The declarations of a public header, after those of the headers that it includes."""
    if header in seen:
        return ""
    seen.add(header)
    text = (TOP / "include" / header).read_text()
    before = "".join(declarations(name, seen) for name in re.findall(r'#include "(limber/\w+\.h)"', text))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'#ifdef __cplusplus.*?#endif', "", text, flags=re.S)
    text = text.replace("\\\n", " ")
    numbers = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(LMB_\w+)[ \t]+(\d+)[ \t]*$", text, flags=re.M)
    text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)
    text = re.sub(r"\bLMB_API\b|\bLMB_PRINTF\([^)]*\)", "", text)
    text = "".join(f"#define {name} {value}\n" for name, value in numbers) + text
    return before + re.sub(r"\n\s*\n+", "\n", text)


def said(*command):
    """What a program prints; nothing where it fails or is missing."""
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return ""


def needed(library, build):
    """The shared libraries that a library needs, now or later: name -> (place, Debian package)."""
    files = [str(library)]
    cache = build / "CMakeCache.txt"
    late = re.findall(r"^(\w+):\w+=(/.*)$", cache.read_text(), flags=re.M) if cache.exists() else []
    names = re.findall(r"NEEDED +(\S+)", said("objdump", "-p", *files))
    for key, path in late:
        if key in LATE:
            names += re.findall(r"SONAME +(\S+)", said("objdump", "-p", path))
    places = {}
    for name, place in re.findall(r"^\s*(\S+) .*=> (\S+)$", said("/sbin/ldconfig", "-p"), flags=re.M):
        places.setdefault(name, place)
    out = {}
    for name in names:
        if name not in places:
            continue
        real = os.path.realpath(places[name])
        at_top = real[len("/usr"):] if real.startswith("/usr/lib") else real  # where packages had it before
        owners = said("dpkg", "-S", real) or said("dpkg", "-S", at_top)
        if owners:
            out[name] = (places[name], owners.split(":")[0].split(",")[0])
    return out


def built_module(library, build):
    text = declarations("limber/limber.h", set())
    return (f'"""Written with the wheel by python/backend/limber_build.py."""\n'
            f"VERSION = {version()!r}\nCDEF = '''\\\n{text}'''\nNEEDED = {needed(library, build)!r}\n")


# --- the library --------------------------------------------------------------------------------


def packages_missing():
    """The Debian packages of the build that are not installed."""
    missing = []
    for line in (TOP / "scripts/packages").read_text().splitlines():
        words = line.split()
        if words[:1] == ["build"] and not (len(words) > 2 and shutil.which(words[2])) and words[1] != "npm":
            if "install ok installed" not in said("dpkg-query", "-W", "-f", "${Status}", words[1]):
                missing.append(words[1])
    return missing


def run(*command):
    try:
        done = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output, failed = done.stdout, done.returncode != 0
    except FileNotFoundError:
        output, failed = f"there is no program {command[0]}\n", True
    if failed:
        sys.stderr.write(output)
        missing = packages_missing() if shutil.which("dpkg-query") else []
        if missing:
            sys.exit("limber: these Debian packages are missing: " + " ".join(missing) +
                     "\n  hint: `scripts/setup build` installs them, or apt-get install them yourself")
        sys.exit(f"limber: '{' '.join(command)}' failed")


def build_library():
    """The library and its build tree."""
    given = os.environ.get("LIMBER_BUILD_DIR")
    build = Path(given) if given else TOP / "build"
    if not given:
        if not (build / "CMakeCache.txt").exists():
            run("cmake", "--preset", "release", "-DLIMBER_TESTS=OFF")
        run("cmake", "--build", str(build), "--target", "liblimber.so")  # `limber` is the program
    library = build / "liblimber.so"
    if not library.exists():
        sys.exit(f"limber: there is no {library}")
    return library, build


# --- the wheel ----------------------------------------------------------------------------------


def metadata():
    return ("Metadata-Version: 2.1\nName: limber\n"
            f"Version: {version()}\n"
            "Summary: Multibody dynamics of rigid and flexible bodies\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nRequires-Dist: cffi\n"
            "Description-Content-Type: text/markdown\n\n" + (TOP / "docs/python.md").read_text())


def tag():
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def info_files():
    """The files of the .dist-info folder, without RECORD."""
    return {
        "METADATA": metadata(),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: limber_build\nRoot-Is-Purelib: false\nTag: {tag()}\n",
        "LICENSE": (TOP / "LICENSE").read_text(),
    }


def info_name():
    return f"limber-{version()}.dist-info"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library, build = build_library()
    files = {}
    for path in sorted((TOP / "python/limber").iterdir()):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            files[f"limber/{path.name}"] = path.read_bytes()
    files["limber/_built.py"] = built_module(library, build).encode()
    files["limber/liblimber.so"] = library.read_bytes()
    files.update({f"{info_name()}/{name}": text.encode() for name, text in info_files().items()})
    record = ""
    name = f"limber-{version()}-{tag()}.whl"
    Path(wheel_directory).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def put(file, data):
            entry = zipfile.ZipInfo(file)  # of 1980: the same files give the same wheel
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)

        for file, data in files.items():
            put(file, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{file},sha256={digest},{len(data)}\n"
        put(f"{info_name()}/RECORD", record + f"{info_name()}/RECORD,,\n")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = Path(metadata_directory) / info_name()
    folder.mkdir(parents=True)
    for name, text in info_files().items():
        (folder / name).write_text(text)
    return folder.name


def build_sdist(sdist_directory, config_settings=None):
    """What git keeps, as a source archive."""
    name = f"limber-{version()}"
    listed = said("git", "-C", str(TOP), "ls-files").splitlines()
    if not listed:
        sys.exit("limber: a source archive is made from a clone, with git")
    path = Path(sdist_directory) / f"{name}.tar.gz"
    info = Path(sdist_directory) / "PKG-INFO"
    info.write_text(metadata())
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in listed:
            archive.add(TOP / file, f"{name}/{file}")
        archive.add(info, f"{name}/PKG-INFO")
    info.unlink()
    return path.name


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: limber_build.py FOLDER")
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
