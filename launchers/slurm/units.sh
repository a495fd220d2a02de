# A task of a job array: computes the units in its line of the array's file, one after the other. catapult-slurm puts
# the settings above this line.
# shellcheck shell=bash disable=SC2154
set -euo pipefail

array=${1##*/}
log=$state/logs/$array-$SLURM_ARRAY_TASK_ID.log
IFS=$'\t' read -r -a units < <(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$1")
worst=0 child=''
trap 'kill -TERM $child || true; exit 143' TERM
for unit in "${units[@]}"; do
    code=0
    "$program" cluster unit "$place" "$unit" --threads "$SLURM_CPUS_PER_TASK" "${unit_device[@]}" &
    child=$!
    wait "$child" || code=$?
    case $code in
    0) ;;
    1 | 2)
        # Without Slurm accounting, this file is the learner's only report of the failure.
        printf '%s ended with %s on %s: %s\n' "$unit" "$code" "$SLURMD_NODENAME" "$(tail -n 3 "$log")" >"$state/failed/.$array-$SLURM_ARRAY_TASK_ID"
        mv "$state/failed/.$array-$SLURM_ARRAY_TASK_ID" "$state/failed/$array-$SLURM_ARRAY_TASK_ID"
        exit "$code"
        ;;
    *)
        echo "$unit ended with $code on $SLURMD_NODENAME: it will be tried again"
        worst=$code
        # A signal that ended the program was meant for the whole task.
        [ "$code" -le 128 ] || break
        ;;
    esac
done
# Deletes the log of a successful task, because a run has very many tasks.
[ "$worst" -ne 0 ] || rm -f "$log"
exit "$worst"
