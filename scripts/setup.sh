# Sourced by the other scripts: checks the tools, finds or fetches libtorch, exports LIBTORCH and LD_LIBRARY_PATH.
# With CATAPULT_TORCH=none there is no libtorch, and what is built is for playing alone.
# Writes nothing outside the repository but cargo's and pip's caches.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
torch_version=2.11.0
torch_kind=${CATAPULT_TORCH:-cpu}

fail() {
    echo "catapult: $*" >&2
    exit 1
}

# Whether a folder is a libtorch of the right version, with CUDA where CUDA is asked for.
is_libtorch() {
    [ -e "$1/lib/libtorch_cpu.so" ] || [ -e "$1/lib/libtorch_cpu.dylib" ] || return 1
    [ "$torch_kind" = cpu ] || [ -e "$1/lib/libtorch_cuda.so" ] || return 1
    [ -e "$1/include/torch/csrc/api/include/torch/torch.h" ] || return 1
    grep -q "\"$torch_version\"" "$1/include/torch/headeronly/version.h" 2>/dev/null
}

# Prints the folder of the user's own pip torch, if there is one of the right version. Imports nothing of it.
pip_torch() {
    python3 - "$torch_version" <<'PYTHON' 2>/dev/null
import importlib.metadata, importlib.util, os, sys
if importlib.metadata.version("torch").split("+")[0] == sys.argv[1]:
    print(os.path.dirname(importlib.util.find_spec("torch").origin))
PYTHON
}

find_libtorch() {
    if [ -n "${LIBTORCH:-}" ]; then
        is_libtorch "$LIBTORCH" || fail "LIBTORCH=$LIBTORCH is no libtorch $torch_version ($torch_kind): correct or unset it"
        return
    fi
    local own="$root/.torch/$torch_kind/torch" note="$root/.torch/pip-$torch_kind" found
    if [ -e "$note" ] && found=$(<"$note") && is_libtorch "$found"; then
        LIBTORCH=$found
        return
    fi
    if ! is_libtorch "$own"; then
        command -v python3 >/dev/null || fail "python3 is missing: install it with pip (they fetch libtorch), or set LIBTORCH to a libtorch $torch_version"
        mkdir -p "$root/.torch" || fail "cannot write to $root"
        if found=$(pip_torch) && is_libtorch "$found"; then
            echo "$found" >"$note"
            LIBTORCH=$found
            return
        fi
        [ "$(uname -sm)" = "Linux x86_64" ] || fail "no libtorch is pinned for $(uname -sm): pip install torch==$torch_version, or set LIBTORCH to a libtorch $torch_version"
        (
            # Two first runs at once: the second waits and finds the work done.
            if command -v flock >/dev/null; then flock 9; fi
            is_libtorch "$own" && exit 0
            rm -rf "$root/.torch/$torch_kind" "$root/.torch"/download-*
            python3 "$root/scripts/torch-install.py" "$torch_kind" "$root/.torch/$torch_kind"
        ) 9>"$root/.torch/lock" || exit 1
        is_libtorch "$own" || fail "$root/.torch/$torch_kind is damaged: remove it and try again"
    fi
    LIBTORCH=$own
}

# The binary is built for x86-64-v3; an older processor would only say "illegal instruction".
if [ -r /proc/cpuinfo ] && [ "$(uname -m)" = x86_64 ]; then
    grep -q -m 1 -w avx2 /proc/cpuinfo || fail "this processor has no AVX2 (x86-64-v3), which the build needs: see .cargo/config.toml"
fi

case $torch_kind in
cpu | cuda | none) ;;
*) fail "CATAPULT_TORCH=$torch_kind: it may be cpu, cuda or none" ;;
esac
PATH="$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin"
command -v cargo >/dev/null || fail "cargo is missing: install Rust (https://rustup.rs)"
target=${CARGO_TARGET_DIR:-$root/target}
features=()
if [ "$torch_kind" = none ]; then
    features=(--no-default-features)
else
    find_libtorch
    export LIBTORCH LD_LIBRARY_PATH="$LIBTORCH/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
# Cargo is started in the repository, the binary where the user is.
case $target in /*) ;; *) target="$PWD/$target" ;; esac

# Prints where cargo puts the binary of a profile.
binary_of() {
    case $1 in
    dev) echo "$target/debug/catapult" ;;
    *) echo "$target/$1/catapult" ;;
    esac
}

# Building needs a C compiler to link, and a C++ compiler for libtorch's bindings.
check_compiler() {
    [ "$torch_kind" = none ] || command -v "${CXX:-c++}" >/dev/null || fail "a C++ compiler is missing: install g++ or clang (or set CXX)"
    command -v "${CC:-cc}" >/dev/null || fail "a C compiler is missing: install gcc or clang (or set CC)"
}
