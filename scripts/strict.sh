# Sourced by the test scripts: the first command that fails ends the script, which says where.
set -Eeuo pipefail
trap 'echo "${0##*/}: line $LINENO failed: $BASH_COMMAND" >&2' ERR

# How many files of this name a folder has; none if it is not there (yet).
count_files() {
    if [ -d "$1" ]; then find "$1" -type f -name "$2" | wc -l; else echo 0; fi
}
