# The learner's job. catapult-slurm puts the settings above this line.
# shellcheck shell=bash disable=SC2154
#
# This script may be killed at any time and restarted. `catapult cluster units` lists the open units, and squeue the
# queued and running tasks. The script submits open units that are in no task. $state/arrays lists the units of each
# task; without it, units would only be computed twice.
set -euo pipefail

say() { printf '%(%F %T)T %s\n' -1 "$*" >&2; }

# This job's own processes: `child` is a listing or the sleep of `nap`, `learning` a learn unit in the background.
child='' learning='' learning_unit=''
# Runs a program in the background and waits, because bash handles no signals during a foreground program.
run() {
    local code=0
    "$@" &
    child=$!
    wait "$child" || code=$?
    child=
    return "$code"
}
# Waits for $poll seconds, or until the learn unit ends.
nap() {
    sleep "$poll" &
    child=$!
    wait -n || true
    kill "$child" 2>/dev/null || true
    child=
}
end_children() {
    local pid i
    for pid in $child $learning; do
        kill -TERM "$pid" 2>/dev/null || continue
        for ((i = 0; i < 40; i++)); do
            kill -0 "$pid" 2>/dev/null || continue 2
            sleep 0.5
        done
        kill -KILL "$pid" 2>/dev/null || true
    done
}
on_limit() {
    trap '' USR1 TERM
    say "the time limit is near: the learner is queued again"
    end_children
    scontrol requeue "$SLURM_JOB_ID" || { say "it cannot be queued again; rerun the command to resume"; exit 75; }
    # Slurm ends this script during the sleep.
    sleep 120
}
trap on_limit USR1
trap 'trap "" USR1 TERM; end_children; exit 75' TERM

# Cancels the arrays that are still queued or running.
cancel() { [ ${#jobs[@]} -eq 0 ] || scancel "${!jobs[@]}" || true; }
give_up() {
    say "$*"
    end_children
    look || true
    cancel
    echo 1 >"$state/result"
    exit 1
}

# Each file in arrays/ describes an array: one line per task, with its units separated by tabs. `units_of` holds the
# units of all arrays. `tries` counts only the tries by this job.
declare -A units_of tries due=() living=() jobs=()
tasks=0
tried() { tries[$1]=$((${tries[$1]:-0} + 1)) due[$1]=''; }
remember() {
    local array=${1##*/} line task=0 unit
    while IFS= read -r line; do
        units_of[$array $task]=$line
        task=$((task + 1))
        if [[ $array == "$SLURM_JOB_ID"-* ]]; then
            while IFS= read -r unit; do tried "$unit"; done <<<"${line//$'\t'/$'\n'}"
        fi
    done <"$1"
}

# Sets `living` to the units of queued and running tasks. The job's name identifies its file in arrays/, so nothing has
# to be recorded after sbatch.
look() {
    local queue job task array reason unit line
    queue=$(squeue --me --noheader --array --format='%F %K %j %r') || return 1
    living=() jobs=() tasks=0
    while read -r job task array reason; do
        array=${array#"$name-units-"}
        line=${units_of[$array $task]:-}
        [ -n "$line" ] || continue
        if [[ $reason == *"requeued held"* || $reason == *JobHoldMaxRequeue* ]]; then
            # A node could not start the task, and Slurm would hold it forever.
            say "task $task of job $job could not be started ($reason): it is submitted anew"
            scancel "${job}_$task" || true
            continue
        fi
        jobs[$job]=1
        tasks=$((tasks + 1))
        while IFS= read -r unit; do living[$unit]=1; done <<<"${line//$'\t'/$'\n'}"
    done <<<"$queue"
    [ -z "$refused" ] || [ "$tasks" -eq 0 ] || refused=$SECONDS
}

# Prints one line per open unit: its name, kind and threads, separated by tabs. Needs no JSON parser, because the keys
# have a fixed order and unit names contain no quotes.
open_units() {
    sed -n 's/^{"unit": *"\([^"]*\)", *"kind": *"\([^"]*\)", *"threads": *\([0-9]*\).*/\1'$'\t''\2'$'\t''\3/p' "$state/open"
}

# Succeeds if a unit may be tried now. A unit that is still open after a try waits first, twice as long each time. The
# file system may show another node's files late, and an unreachable store may need minutes.
is_due() {
    local count=${tries[$1]:-0} rest
    [ "$count" -gt 0 ] || return 0
    [ "$count" -lt "$tries_at_most" ] || give_up "$1 was tried $count times and is not made: see $state/logs"
    if [ -z "${due[$1]:-}" ]; then
        rest=$((poll << (count - 1)))
        due[$1]=$((SECONDS + (rest < 600 && count < 10 ? rest : 600)))
    fi
    [ "$SECONDS" -ge "${due[$1]}" ]
}

# sbatch passes on this job's environment. Removes Slurm's variables, including those for GPUs, because they describe
# only this job.
submit() {
    (
        for variable in "${!SLURM_@}"; do
            case $variable in SLURM_CONF | SLURM_JWT) ;; *) unset "$variable" ;; esac
        done
        unset CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL ROCR_VISIBLE_DEVICES ZE_AFFINITY_MASK
        exec sbatch "$@"
    )
}

array_size=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p') || true
[ "${array_size:-0}" -gt 0 ] || array_size=1001
# `refused` is the time since which sbatch has refused all tasks and none has been queued, while units were ready, as a
# value of SECONDS. `unlisted` is the time since which `catapult cluster units` has failed.
arrays=0 refused='' unlisted=''
# submit_units THREADS UNIT...: submits units that can use THREADS threads.
submit_units() {
    local cpus=$(($1 < unit_cpus ? $1 : unit_cpus)) most=$array_size room throttle count units first file job
    local logs=${state//%/%%}/logs
    shift
    while [ $# -gt 0 ]; do
        room=$((queued_at_most - tasks)) throttle=''
        # Slurm's throttle limits one array only. If other tasks are queued, the new array gets at most the tasks that
        # may still run.
        if [ "$at_once" -gt 0 ] && [ "$tasks" -gt 0 ]; then
            room=$((at_once - tasks < room ? at_once - tasks : room))
        elif [ "$at_once" -gt 0 ]; then
            throttle=%$at_once
        fi
        count=$((($# + per_task - 1) / per_task))
        count=$((count < most ? count : most))
        count=$((count < room ? count : room))
        [ "$count" -gt 0 ] || return 0
        units=$((count * per_task < $# ? count * per_task : $#))
        while file=$state/arrays/$SLURM_JOB_ID-$arrays && [ -e "$file" ]; do arrays=$((arrays + 1)); done
        for ((first = 1; first <= units; first += per_task)); do
            (IFS=$'\t' && echo "${*:first:per_task}")
        done >"$file"
        if job=$(submit "${units_sbatch[@]}" "--job-name=$name-units-${file##*/}" "--array=0-$((count - 1))$throttle" \
            "--cpus-per-task=$cpus" "--output=$logs/${file##*/}-%a.log" "$state/units.sh" "$file" 2>"$state/refusal"); then
            remember "$file"
            refused='' tasks=$((tasks + count))
            jobs[${job%%;*}]=1
            say "job ${job%%;*} submitted: units $units, tasks $count, CPUs of a task $cpus"
            shift "$units"
            continue
        fi
        # The likely cause is a limit on a user's queued tasks. Tries half as many tasks, or waits if only one is left.
        rm "$file"
        most=$((count / 2))
        if [ "$most" -eq 0 ]; then
            [ -n "$refused" ] || say "sbatch refused a task, which waits: $(<"$state/refusal")"
            refused=${refused:-$SECONDS}
            [ $((SECONDS - refused)) -lt 3600 ] || give_up "sbatch refused all tasks for an hour: $(<"$state/refusal")"
            return 0
        fi
    done
}

say "job $SLURM_JOB_ID on $SLURMD_NODENAME, start $((${SLURM_RESTART_COUNT:-0} + 1)): $place"
for file in "$state"/arrays/*; do
    [ ! -e "$file" ] || remember "$file"
done
said=''
while :; do
    if [ -n "$learning" ] && ! kill -0 "$learning" 2>/dev/null; then
        code=0
        wait "$learning" || code=$?
        case $code in
        0) ;;
        1 | 2) learning='' && give_up "$learning_unit will never work, for the reason above" ;;
        *) say "$learning_unit ended with $code" ;;
        esac
        learning='' learning_unit=''
    fi
    # Queries squeue before the listing. A task that has ended by then has published, so the listing omits its units.
    look || { say "squeue did not answer"; nap; continue; }
    begin=()
    [ -e "$state/begun" ] || begin=(--begin "$config")
    code=0
    run "$program" cluster units "$place" "${begin[@]}" >"$state/open" || code=$?
    case $code in
    0) unlisted='' ;;
    1 | 2) give_up "the program says that this will never work" ;;
    *)
        unlisted=${unlisted:-$SECONDS}
        [ $((SECONDS - unlisted)) -lt 3600 ] || give_up "catapult cluster units has failed for an hour, for the reason above"
        say "catapult cluster units ended with $code: once more in $poll s"
        nap
        continue
        ;;
    esac
    touch "$state/begun"
    for file in "$state"/failed/*; do
        [ ! -e "$file" ] || give_up "a unit will never work: $(<"$file")"
    done
    [ -s "$state/open" ] || break
    listed=$(open_units)
    [ "$(wc -l <"$state/open")" -eq "$(wc -l <<<"$listed")" ] || give_up "what catapult cluster units says is not understood: $state/open"

    declare -A ready=()
    learn='' open=0 under_way=0
    while IFS=$'\t' read -r unit kind threads; do
        open=$((open + 1))
        if [ "$unit" = "$learning_unit" ]; then
            under_way=$((under_way + 1))
        elif [ "$kind" = learn ]; then
            # One learn unit at a time, because this job has CPUs for one.
            if [ -z "$learning$learn" ] && is_due "$unit"; then learn=$unit; fi
        elif [ -n "${living[$unit]:-}" ]; then
            under_way=$((under_way + 1))
        elif is_due "$unit"; then
            ready[$threads]+="$unit"$'\n'
        fi
    done <<<"$listed"
    first=${listed%%$'\t'*}
    now="open: $open, under way: $under_way, first $first"
    [ "$now" = "$said" ] || say "$now"
    said=$now
    [ "${#ready[@]}" -gt 0 ] || refused=''
    for threads in "${!ready[@]}"; do
        mapfile -t names <<<"${ready[$threads]%$'\n'}"
        submit_units "$threads" "${names[@]}"
    done
    if [ -n "$learn" ]; then
        tried "$learn"
        "$program" cluster unit "$place" "$learn" --threads "$SLURM_CPUS_PER_TASK" "${learner_device[@]}" &
        learning=$! learning_unit=$learn
    fi
    nap
done
end_children
cancel
say "nothing is left to make"
echo 0 >"$state/result"
