# Sourced by the other scripts: checks the tools, finds or downloads libtorch, exports LIBTORCH and LD_LIBRARY_PATH.
# CATAPULT_TORCH=none skips libtorch. The resulting program can play but not train.
# Writes nothing outside the repository, except pip's cache.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
torch_version=2.11.0
torch_kind=${CATAPULT_TORCH:-cpu}

fail() {
    echo "catapult: $*" >&2
    exit 1
}

# Succeeds if the folder holds a libtorch of the right version, with CUDA if CATAPULT_TORCH=cuda.
is_libtorch() {
    [ -e "$1/lib/libtorch_cpu.so" ] || [ -e "$1/lib/libtorch_cpu.dylib" ] || return 1
    [ "$torch_kind" = cpu ] || [ -e "$1/lib/libtorch_cuda.so" ] || return 1
    [ -e "$1/include/torch/csrc/api/include/torch/torch.h" ] || return 1
    grep -q "\"$torch_version\"" "$1/include/torch/headeronly/version.h" 2>/dev/null
}

# Prints the folder of the user's pip-installed torch if its version matches. Does not import torch.
pip_torch() {
    python3 - "$torch_version" <<'PYTHON' 2>/dev/null
import importlib.metadata, importlib.util, os, sys
if importlib.metadata.version("torch").split("+")[0] == sys.argv[1]:
    print(os.path.dirname(importlib.util.find_spec("torch").origin))
PYTHON
}

find_libtorch() {
    if [ -n "${LIBTORCH:-}" ]; then
        is_libtorch "$LIBTORCH" || fail "LIBTORCH=$LIBTORCH is not libtorch $torch_version ($torch_kind): correct or unset it"
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
            # If two first runs start at once, the second waits for the first and uses its download.
            if command -v flock >/dev/null; then flock 9; fi
            is_libtorch "$own" && exit 0
            rm -rf "$root/.torch/$torch_kind" "$root/.torch"/download-*
            python3 "$root/scripts/torch-install.py" "$torch_kind" "$root/.torch/$torch_kind"
        ) 9>"$root/.torch/lock" || exit 1
        is_libtorch "$own" || fail "$root/.torch/$torch_kind is damaged: remove it and try again"
    fi
    LIBTORCH=$own
}

# The binary is built for x86-64-v3. On an older processor it would die with just "illegal instruction".
if [ -r /proc/cpuinfo ] && [ "$(uname -m)" = x86_64 ]; then
    grep -q -m 1 -w avx2 /proc/cpuinfo || fail "this processor has no AVX2 (x86-64-v3), which the build needs: see .cargo/config.toml"
fi

case $torch_kind in
cpu | cuda | none) ;;
*) fail "CATAPULT_TORCH=$torch_kind: must be cpu, cuda or none" ;;
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
# An absolute path, because cargo runs in the repository and the binary in the user's folder.
case $target in /*) ;; *) target="$PWD/$target" ;; esac

# Prints the path of the binary that cargo builds in a profile.
binary_of() {
    case $1 in
    dev) echo "$target/debug/catapult" ;;
    *) echo "$target/$1/catapult" ;;
    esac
}

# Fails without a C compiler, which links, or without a C++ compiler, which libtorch's bindings need.
check_compiler() {
    # CC and CXX may have a wrapper before the compiler, or options after it. The first word is a program.
    local cc=${CC:-cc} cxx=${CXX:-c++}
    [ "$torch_kind" = none ] || command -v "${cxx%% *}" >/dev/null || fail "a C++ compiler is missing: install g++ or clang (or set CXX)"
    command -v "${cc%% *}" >/dev/null || fail "a C compiler is missing: install gcc or clang (or set CC)"
}
