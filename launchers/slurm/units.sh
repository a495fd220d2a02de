# A task of a job array: makes the units in its line of a file, one after the other. catapult-slurm puts the settings above this line.
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
        # Without accounting, nobody else tells the learner how a task ended.
        printf '%s ended with %s on %s: %s\n' "$unit" "$code" "$SLURMD_NODENAME" "$(tail -n 3 "$log")" >"$state/failed/.$array-$SLURM_ARRAY_TASK_ID"
        mv "$state/failed/.$array-$SLURM_ARRAY_TASK_ID" "$state/failed/$array-$SLURM_ARRAY_TASK_ID"
        exit "$code"
        ;;
    *)
        echo "$unit ended with $code on $SLURMD_NODENAME: it will be tried again"
        worst=$code
        # A signal is meant for the task, even if it has reached the program first.
        [ "$code" -le 128 ] || break
        ;;
    esac
done
# What went well needs no log: there would be one for every unit of a run.
[ "$worst" -ne 0 ] || rm -f "$log"
exit "$worst"
