# Sourced by the test scripts: the first command that fails ends the script, which says where. At its end it says how long it took,
# unless another of them has called it, which says that.
set -Eeuo pipefail
trap 'echo "${0##*/}: line $LINENO failed: $BASH_COMMAND" >&2' ERR

# What a script leaves to be done when it ends, however it does: commands, the last one first.
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

tell_minutes() { echo "== ${0##*/}: $((SECONDS / 60)).$((SECONDS % 60 / 6)) minutes" >&2; }
if [ -z "${CATAPULT_TIMED:-}" ]; then
    export CATAPULT_TIMED=1
    at_end tell_minutes
fi

# How many files of this name a folder has; none if it is not there (yet).
count_files() {
    if [ -d "$1" ]; then find "$1" -type f -name "$2" | wc -l; else echo 0; fi
}
