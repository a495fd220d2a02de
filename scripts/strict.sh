# Sourced by the test scripts. The first command that fails ends the script with its line number.
# The outermost script prints its total time when it ends.
set -Eeuo pipefail
trap 'echo "${0##*/}: line $LINENO failed: $BASH_COMMAND" >&2' ERR

# Cleanup commands, run in reverse order of registration when the script ends for any reason: at_end COMMAND
endings=()
at_end() { endings=("$1" ${endings[@]+"${endings[@]}"}); }
finish() {
    local status=$? ending
    trap - ERR
    set +e
    for ending in ${endings[@]+"${endings[@]}"}; do eval "$ending"; done
    exit "$status"
}
trap finish EXIT

# Ends the script with a message.
die() {
    echo "${0##*/}: $*" >&2
    exit 1
}

tell_minutes() { echo "== ${0##*/}: $((SECONDS / 60)).$((SECONDS % 60 / 6)) minutes" >&2; }
if [ -z "${CATAPULT_TIMED:-}" ]; then
    export CATAPULT_TIMED=1
    at_end tell_minutes
fi

# Prints the number of files in a folder, at any depth, whose name matches a pattern. A missing folder has 0.
count_files() {
    if [ -d "$1" ]; then find "$1" -type f -name "$2" | wc -l; else echo 0; fi
}

# Prints the hashes of a run's networks and states, and the names of its records. A record's name contains its hash.
# Scripts that compare other results replace this function.
fingerprint() {
    (cd "$1" && sha256sum generation-*/network.safetensors generation-*/state.safetensors && ls generation-*/games)
}

# Sets $python, and creates the virtual environment $venv if it does not exist. Without Python 3.10, venv or pip it calls
# the script's function `skip`, which ends the script.
make_venv() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null || skip "python3 is missing"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "it needs Python 3.10 or later"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || skip "python3 has no venv and pip"
    mkdir -p "${venv%/*}"
    [ -x "$venv/bin/pip" ] || "$python" -m venv "$venv"
}

# Installs Python packages into the virtual environment $venv.
pip_install() {
    "$venv/bin/python" -m pip --disable-pip-version-check install --quiet "$@"
}

# Installs the packages of web/package-lock.json, from the repository's folder. If that is impossible, fails and prints
# that $1 was not tested.
install_packages() {
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        echo "SKIPPED: node or npm is missing; $1 was not tested"
        return 1
    fi
    # A copy of the lock file beside the packages shows which versions are installed.
    cmp -s web/package-lock.json web/node_modules/.installed && return
    if ! (cd web && npm ci --no-audit --no-fund --silent); then
        echo "SKIPPED: the packages of web/package-lock.json could not be installed; $1 was not tested"
        return 1
    fi
    cp web/package-lock.json web/node_modules/.installed || die "cannot write web/node_modules/.installed"
}
