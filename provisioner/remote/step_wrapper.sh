# Cooperage's ledger of steps: runs a step once, whoever asks and how often. See provisioner/remote/README.md.
# It lies in the state directory under a name that carries its own checksum:
#   sh <state>/step-<checksum> run <key> <fence> <seconds> <kind>   standard input: token, line end, script, token
#   sh <state>/step-<checksum> stop <key> <fence>
#   sh <state>/step-<checksum> put <path> <mode> <bytes> [<sha256>]   standard input: the content
#   sh <state>/step-<checksum> lacking                       standard input: lines of <sha256> <mode> <path>
set -u
umask 077
state=${0%/*}

# The last line on standard error: the caller's token, which no step can know, and how the step ended.
answer() {
    printf '\036%s %s\n' "$token" "$1" >&2
    exit 0
}

# The connection's fault: asking again may help.
broken() {
    answer "broken $1"
}

# The node's fault: the step fails, and says why.
refuse() {
    answer "refused $1"
}

# refuse_unwritten <what>: with the system's own reason, such as a full disk.
refuse_unwritten() {
    why=$( { head -c 4096 /dev/zero >"$state/steps/.probe"; } 2>&1)
    rm -f "$state/steps/.probe" 2>/dev/null
    why=$(printf %s "$why" | tr '\n' ' ')
    refuse "the node cannot keep what it is to run: $1${why:+: $why}"
}

# A connection that breaks looks like the end of the input: only what ends with the token is a whole script.
run() {
    key=$1 fence=$2 limit=$3 kind=$4
    IFS= read -r token || exit 70
    received=$(cat)
    case $received in
        *"$token") script=${received%"$token"} ;;
        *) broken "the script did not arrive whole" ;;
    esac
    dir=$state/steps/$key
    for tool in flock setsid timeout mkfifo; do
        command -v $tool >/dev/null || refuse "the node has no $tool"
    done
    set -- "$state"/steps/*
    [ -e "$1" ] || begin_ledger || refuse_unwritten "cannot make $dir"
    mkdir -p "$dir" || refuse_unwritten "cannot make $dir"
    for file in lock running; do
        [ -e "$dir/$file" ] || (: >"$dir/$file") 2>/dev/null || refuse_unwritten "cannot write $dir/$file"
    done
    exec 8>"$dir/lock"
    flock 8 || refuse "cannot lock $dir"
    check_fence
    check_kind
    exec 7>>"$dir/running"
    if [ ! -s "$dir/exit" ] && [ ! -e "$dir/started" ] && flock -n -x 7; then
        refuse_after_later_attempt
        start
    fi
    exec 8>&-
    follow
    report
}

check_fence() {
    read_fence
    [ "$fence" -ge "$seen" ] || answer "fenced $seen"
    [ "$fence" -eq "$seen" ] || printf '%s\n' "$fence" >"$dir/fence" || refuse_unwritten "cannot write $dir/fence"
}

# Whoever asks again means the same step: another one would be told how this one ended, and never run. `-` means
# whatever is there.
check_kind() {
    known=$kind
    [ -s "$dir/kind" ] && read -r known <"$dir/kind"
    [ "$kind" = - ] || [ "$known" = "$kind" ] || answer another
}

read_fence() {
    seen=0
    [ -s "$dir/fence" ] && read -r seen <"$dir/fence"
}

# The supervisor inherits descriptor 7 and with it the lock, which ends with it however it ends: nothing that it starts
# and that lasts has this descriptor.
start() {
    end_earlier_attempts
    printf '%s\n' "$kind" >"$dir/kind" && printf %s "$script" >"$dir/script" && : >"$dir/out" && : >"$dir/err" &&
        printf '%32s\n' ' ' >"$dir/result" || refuse_unwritten "cannot write $dir"
    setsid sh "$0" supervise "$dir" "$limit" 8>&- </dev/null >/dev/null 2>&1 &
}

# Keys are <task>-<attempt>-<number>. Nobody asks for an earlier attempt any more, but what it began may still run: its
# connection was away for too long, or its job was aborted while no daemon was there. What it is about to begin finds
# the mark `stop`.
end_earlier_attempts() {
    for other in "$state/steps/${key%-*-*}"-*-*; do
        if ! is_attempt -lt "$other" || [ -s "$other/exit" ]; then continue; fi
        ask_for_end "$other"
        flock -s -w 10 "$other/running" true && end_unattended "$other"
    done
}

# An earlier attempt that was held up on its way must not run beside the later one or after it.
refuse_after_later_attempt() {
    for other in "$state/steps/${key%-*-*}"-*-*; do
        if is_attempt -gt "$other"; then answer "fenced $seen"; fi
    done
}

# is_attempt -lt|-gt <dir of an attempt of the same task>: compared with the attempt of the key.
is_attempt() {
    task=${key%-*-*}
    attempt=${key#"$task"-}
    of_dir=${2#"$state/steps/$task"-}
    [ "${of_dir%-*}" "$1" "${attempt%-*}" ] 2>/dev/null
}

# Opening descriptor 7 anew leaves the lock to the supervisor. flock waits for its end, and every now and then gives
# up for a moment to pass on what came meanwhile; `cat` goes on where the one before it stopped.
follow() {
    exec 7<"$dir/running"
    [ -e "$dir/out" ] || return
    exec 3<"$dir/out" 4<"$dir/err"
    pause=0.1
    until flock -s -w $pause 7; do
        pass_on
        case $pause in 0.1) pause=0.2 ;; *) pause=0.5 ;; esac
    done
    pass_on
}

pass_on() {
    if [ -s "$dir/out" ]; then cat <&3 || exit 74; fi
    if [ -s "$dir/err" ]; then cat <&4 >&2 || exit 74; fi
}

report() {
    end_unattended "$dir"
    if [ ! -s "$dir/exit" ]; then
        [ -d "$dir" ] || refuse "its record $dir was removed while the step ran, so nobody knows how it ended"
        refuse_unwritten "how the step ended could not be written to $dir, or it could not be started"
    fi
    read -r ending <"$dir/exit"
    case $ending in
        lost) echo "cooperage: the step was started but its processes are gone without a result" \
            "(restarted or killed); it is not run again under the key $key" >&2 ;;
        expired) echo "cooperage: killed after its limit of $limit s" >&2 ;;
        stopped) echo "cooperage: stopped on request" >&2 ;;
    esac
    answer "$ending"
}

# end_unattended <dir>: to be called when the lock is free. What began and has not ended lost its supervisor; the runner
# may still be in time with the result.
end_unattended() {
    if [ -s "$1/exit" ] || [ ! -e "$1/started" ]; then return; fi
    kill_leftovers "$1"
    record "$1" lost
}

# The ledger is empty. Where somebody removed it, a step may run of which nobody knows any more: it must not run beside
# another one, and whoever asks for it is told that it is lost. Under a lock, because others may be about to begin here.
begin_ledger() {
    (: >>"$state/ledger") 2>/dev/null || return 1
    exec 6>>"$state/ledger"
    flock 6
    set -- "$state"/steps/*
    if [ ! -e "$1" ]; then end_unrecorded; fi
    mkdir -p "$dir" 2>/dev/null
    made=$?
    exec 6>&-
    return $made
}

end_unrecorded() {
    for process in /proc/[0-9]*; do
        case $({ tr '\000' '\n' <"$process/cmdline"; } 2>/dev/null) in
            "sh
$0
supervise
$state/steps/"*) end_lost kill_process ;;
            "/bin/sh
$state/steps/"*/script) end_lost kill_session ;;
        esac
    done
}

kill_process() { kill -KILL "$1" 2>/dev/null; }
kill_session() { signal_session KILL "$1"; }

# end_lost <how>: the process, and a record for whoever asks for its step. Processes of containers may have the same
# paths; they are not ours.
end_lost() {
    [ "$(readlink "$process/ns/pid")" = "$(readlink /proc/self/ns/pid)" ] || return
    lost=$({ tr '\000' '\n' <"$process/cmdline"; } 2>/dev/null | sed -n "s|^$state/steps/\([^/]*\).*|\1|p")
    "$1" "${process#/proc/}" || return
    [ -z "$lost" ] || { mkdir -p "$state/steps/$lost" && printf 'lost\n' >"$state/steps/$lost/exit"; }
}

# The step's shell is known by its script and the runner by the directory, so that processes that got the same numbers
# later are left alone. The runner goes first: what it would tell of a step that is killed is not the step's own end.
kill_leftovers() {
    [ -s "$1/pid" ] && read -r leader <"$1/pid" || return
    has_argument "$leader" "$1/script" || return
    runner=$(parent_of "$leader")
    if has_argument "$runner" "$1"; then kill -KILL "$runner"; fi
    signal_session KILL "$leader"
}

# has_argument <process> <text>: whole. The grep of busybox ends a line at a zero byte.
has_argument() {
    { tr '\000' '\n' <"/proc/$1/cmdline"; } 2>/dev/null | grep -q -x -F -e "$2"
}

# parent_of <process>. Fields of stat after the name: state, parent.
parent_of() {
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return
    set -- ${line##*) }
    echo "$2"
}

# Asks the supervisor to end the step as at its limit, and does not wait for it. A step that has not begun never will;
# one that has ended, or that a higher fence has asked for, is left alone.
stop() {
    key=$1 fence=$2
    dir=$state/steps/$key
    set -- "$state"/steps/*
    [ -e "$1" ] || begin_ledger || exit 1
    mkdir -p "$dir" && exec 8>"$dir/lock" && flock 8 || exit 1
    read_fence
    if [ "$fence" -lt "$seen" ] || [ -s "$dir/exit" ]; then exit 0; fi
    ask_for_end "$dir" || exit 1
    exec 7>>"$dir/running"
    flock -n -x 7 || exit 0
    [ -e "$dir/started" ] || record "$dir" stopped
    end_unattended "$dir"
}

ask_for_end() {
    : >"$1/stop" || return 1
    [ ! -p "$1/wake" ] || echo 1<>"$1/wake"
}

# supervise <dir> <seconds>: sleeps until the step has ended, its limit has come or somebody asks for its end. Who asks
# leaves the mark `stop` first and writes to `wake` then; here it is opened before the mark is looked for.
supervise() {
    dir=$1 limit=$2
    [ -p "$dir/wake" ] || mkfifo "$dir/wake" || exit
    exec 9<>"$dir/wake" && : >"$dir/started" || exit
    PATH=${PATH:-/usr/bin:/bin}:/usr/local/sbin:/usr/sbin:/sbin
    export PATH
    cd / || exit
    if [ -e "$dir/stop" ]; then
        record "$dir" stopped
    else
        run_script &
        runner=$!
        timeout "$limit" head -c 1 <&9 >/dev/null 7>&- 9>&-
        await_session
    fi
    if [ ! -s "$dir/exit" ]; then
        kill -KILL "$runner" 2>/dev/null
        wait "$runner"
        end_session
        ending=expired
        [ ! -e "$dir/stop" ] || ending=stopped
        record "$dir" "$ending"
    fi
    exec 7>&-
    # It may hold secrets.
    : >"$dir/script"
    prune
}

# record <dir> <ending>: the first one holds. It takes the place of what was written at the start, so that a disk that is
# full by now has room for it.
record() {
    if [ -s "$1/exit" ]; then return; fi
    if [ -s "$1/result" ] && printf '%-32s\n' "$2" 1<>"$1/result" && mv -f "$1/result" "$1/exit"; then return; fi
    [ -s "$1/exit" ] || printf '%s\n' "$2" >"$1/exit"
}

# Only the supervisor keeps the lock. `run_script 7>&- &` would not do: dash keeps a copy for the end of the function.
run_script() {
    exec 7>&-
    {
        umask 022
        exec setsid /bin/sh "$dir/script" </dev/null >"$dir/out" 2>"$dir/err" 9>&-
    } &
    echo $! >"$dir/pid"
    wait $!
    ending=$?
    record "$dir" "exit $ending"
    echo >&9
}

# A step that is stopped in the moment of its start may have no session yet that could be ended.
await_session() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        if [ -s "$dir/exit" ]; then return; fi
        if [ -s "$dir/pid" ] && read -r session <"$dir/pid" && signal_session 0 "$session"; then return; fi
        sleep 0.1
    done
}

end_session() {
    read -r session <"$dir/pid" || return
    signal_session TERM "$session"
    for pause in 0.1 0.2 0.3 0.4 1 1 1 1; do
        signal_session 0 "$session" || return
        sleep $pause
    done
    signal_session KILL "$session"
}

# signal_session <signal> <session>: true when there was somebody. A session holds what a process group may have
# lost: background jobs of an inner shell. Fields of stat after the name: state, parent, group, session.
signal_session() {
    found=1
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        pid=${stat#/proc/}
        signal_member "$1" "$2" "${pid%/stat}" ${line##*) } && found=0
    done
    return $found
}

signal_member() {
    [ "${7-}" = "$2" ] && [ "$4" != Z ] && kill -s "$1" "$3" 2>/dev/null
}

# Keeps the newest thousand steps. Removing under the lock of `running` leaves alone what still runs.
prune() {
    set -- "$state"/steps/*
    [ $# -gt 1100 ] || return
    ls -t "$state/steps" | tail -n +1001 | while read -r old; do
        flock -n -x "$state/steps/$old/running" rm -rf "$state/steps/$old"
    done
}

put() {
    path=$1 mode=$2 bytes=$3 sum=${4-}
    (umask 022 && mkdir -p "${path%/*}/") || exit 1
    if [ -d "$path" ]; then
        echo "$path is a directory" >&2
        exit 1
    fi
    temporary=$(mktemp "$path.XXXXXX") || exit 1
    wrong=
    cat >"$temporary" && has_arrived &&
        chmod "$mode" "$temporary" && mv -f "$temporary" "$path" && exit 0
    # First of all: to speak to somebody who has hung up is the end.
    rm -f "$temporary"
    [ -n "$wrong" ] || exit 1
    echo "$wrong" >&2
    exit 65
}

# A connection that breaks looks like the end of the input, so the size is checked.
has_arrived() {
    there=$(wc -c <"$temporary")
    if [ "$there" -eq "$bytes" ] && { [ -z "$sum" ] || has_content "$temporary" "$sum"; }; then return; fi
    wrong="$path: the $there bytes that came are not the $bytes that were announced, or not the same"
    return 1
}

# Numbers, from 0, of the files that are not there with that content.
lacking() {
    number=0
    while read -r sum mode path; do
        if [ -f "$path" ] && has_content "$path" "$sum"; then
            chmod "$mode" "$path" || exit 1
        else
            echo $number
        fi
        number=$((number + 1))
    done
}

# has_content <file> <sha256>
has_content() {
    sum_there=$(sha256sum <"$1") && [ "${sum_there%% *}" = "$2" ]
}

verb=$1
shift
"$verb" "$@"
