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

tell_minutes() { echo "== ${0##*/}: $((SECONDS / 60)).$((SECONDS % 60 / 6)) minutes" >&2; }
if [ -z "${CATAPULT_TIMED:-}" ]; then
    export CATAPULT_TIMED=1
    at_end tell_minutes
fi

# Prints the number of files in a folder, at any depth, whose name matches a pattern. A missing folder has 0.
count_files() {
    if [ -d "$1" ]; then find "$1" -type f -name "$2" | wc -l; else echo 0; fi
}
