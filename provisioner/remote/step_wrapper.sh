# Cooperage's ledger of steps: runs a step once, whoever asks and how often. See provisioner/remote/README.md.
# It lies in the state directory under a name that carries its own checksum. Each command has a shell of its own:
#   sh <state>/step-<checksum> run <key> <fence> <seconds> <kind>   standard input: token, line end, script, token
#   sh <state>/step-<checksum> stop <key> <fence>
#   sh <state>/step-<checksum> put <path> <mode> <bytes> [<sha256>]   standard input: the content
#   sh <state>/step-<checksum> lacking                       standard input: lines of <sha256> <mode> <path>
# A shell that stays, `sh -s serve`, reads this file into itself and then takes requests, which are lines of shell:
#   begin <token> <key> <fence> <seconds> <kind> <script> <token>
#   look <token> <token>
#   write <token> <path> <mode> <content> <token>
# What is on the way of every step starts as few processes as can be: [, echo, printf, read, true and wait are the shell's own.
set -u
umask 077
case $1 in serve) ;; *) self=$0 ;; esac
state=${self%/*} watched='' holding=-F

# supervise <dir>: starts the step, waits for it and records how it ended. USR1 comes at its limit and when somebody asks
# for its end. Under the lock of its parent, which it must not keep. At the end it wakes whoever follows the step, who
# may be gone.
supervise() {
    dir=$1 asked='' step=''
    exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
    trap 'trap "" USR1; asked=yes; end_step' USR1
    PATH=${PATH:-/usr/bin:/bin}:/usr/local/sbin:/usr/sbin:/sbin
    export PATH
    cd / || exit
    if ended "$dir" || [ -e "$dir/started" ]; then exit; fi
    echo $$ >"$dir/started" || exit
    if [ -e "$dir/stop" ]; then asked=yes; else run_script; fi
    trap '' USR1 PIPE
    [ -z "$asked" ] || ending=expired
    [ -z "$asked" ] || [ ! -e "$dir/stop" ] || ending=stopped
    record "$dir" "$ending"
    # It may hold secrets.
    true >"$dir/script"
    echo over >&2
}

run_script() {
    {
        umask 022
        exec setsid /bin/sh "$dir/script" </dev/null >"$dir/out" 2>"$dir/err"
    } &
    step=$!
    echo $step >"$dir/pid"
    [ -z "$asked" ] || end_step
    wait $step
    ending="exit $?"
}

# record <dir> <ending>: the first one holds. It is written over what was there from the start.
record() {
    if ended "$1"; then return; fi
    if [ -s "$1/exit" ]; then
        { printf '%s\n' "$2" 1<>"$1/exit"; } 2>/dev/null
    else
        { printf '%s\n' "$2" >"$1/exit"; } 2>/dev/null
    fi
}

# A step that is stopped in the moment of its start may have no session yet that could be ended.
end_step() {
    [ -n "$step" ] || return
    until signal_session 0 "$step"; do
        goes_on "$step" || return
        sleep 0.05
    done
    signal_session TERM "$step"
    for pause in 0.1 0.2 0.3 0.4 1 1 1 1; do
        signal_session 0 "$step" || return
        sleep $pause
    done
    signal_session KILL "$step"
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

# ended <dir>: and how, in `ending`.
ended() {
    ending=
    [ -s "$1/exit" ] && read -r ending <"$1/exit"
    [ -n "$ending" ]
}

# goes_on <process>: it is a child of this shell, so the number is not another one's; what has ended runs no program.
goes_on() { [ -e "/proc/$1/exe" ]; }

# All that a runner needs: it leaves the rest unread.
case $1 in supervise) supervise "$2"; exit ;; esac

serve() { cd /; }

# tell <word>: a line of its own kind among what is passed on: the token is the caller's, which no step can know.
tell() {
    printf '%s %s\n' "$token" "$1"
}

# The node's fault: the step fails, and says why.
refuse() {
    tell "refused $1"
    return 1
}

# refuse_unwritten <what>: with the system's own reason, such as a full disk.
refuse_unwritten() {
    why=$(reason_at "$state/steps/.probe")
    refuse "the node cannot keep what it is to run: $1${why:+: $why}"
}

# reason_at <file>: why nothing can be written there, in the system's words.
reason_at() {
    { head -c 4096 /dev/zero >"$1"; } 2>&1 | tr '\n' ' '
    rm -f "$1" 2>/dev/null
}

# A connection that breaks looks like the end of the input: only what ends with the token is whole.
run() {
    key=$1 fence=$2 limit=$3 kind=$4
    IFS= read -r token || exit 70
    received=$(cat)
    case $received in
        *"$token") script=${received%"$token"} ;;
        *) echo "the script did not arrive whole" >&2 && exit 70 ;;
    esac
    take || exit 0
    for pause in 0.1 0.2 0.2; do
        if look_once; then exit 0; fi
        sleep $pause
    done
    until look_once; do sleep 0.5; done
}

begin() {
    check_request "$1" "${7-}"
    check_ledger
    key=$2 fence=$3 limit=$4 kind=$5 script=$6
    if take; then look_once; fi
    script=
    [ "$records" -le 1100 ] || prune
}

look() {
    check_request "$1" "${2-}"
    look_once
}

# check_request <token> <last word>: a request that was cut off is not carried out.
check_request() {
    token=$1
    [ "$2" = "$token" ] || exit 70
}

check_ledger() { [ -s "$self" ] || exit 69; }

# Sees to it that the step runs or has ended here. Else it was told why not.
take() {
    [ -z "$watched" ] || goes_on "$watched" || wait "$watched"
    watched='' passed='' mine='' records=0
    exec 3<&- 4<&-
    if admit; then return 0; fi
    [ -z "$mine" ] || rm -rf "$dir"
    return 1
}

admit() {
    for tool in flock setsid timeout; do
        command -v $tool >/dev/null || refuse "the node has no $tool" || return
    done
    open_record || refuse_unwritten "cannot make $dir" || return
    if [ -n "$mine" ]; then prepare; else await_preparation && check_fence && check_kind; fi || return
    if ended "$dir"; then return; fi
    if [ -e "$dir/started" ]; then join; else refuse_after_later_attempt && start; fi
}

# Who makes the folder fills it: `mine`. The others wait for that.
open_record() {
    dir=$state/steps/$key
    set -- "$state"/steps/*
    records=$#
    if [ -e "$1" ]; then make_record; else begin_ledger; fi
}

make_record() {
    [ -d "$dir" ] || {
        mkdir "$dir" 2>/dev/null && mine=yes
    } || [ -d "$dir" ]
}

# Who joins with a higher one leaves a line, so that nobody's gets lost; the highest counts.
check_fence() {
    read_fence
    [ "$fence" -ge "$seen" ] || {
        tell "fenced $seen"
        return 1
    }
    [ "$fence" -eq "$seen" ] || printf '%s\n' "$fence" >>"$dir/fence" || refuse_unwritten "cannot write $dir/fence"
}

read_fence() {
    seen=0
    [ ! -s "$dir/kind" ] || read -r known seen <"$dir/kind"
    [ -s "$dir/fence" ] || return 0
    while read -r one; do
        [ "$one" -le "$seen" ] || seen=$one
    done <"$dir/fence"
}

# The first line of `exit` is empty until the end, which has its room from the start, on a disk that may be full by then.
# Somebody may have stopped the step before it began. `kind` comes last and says that all is there.
prepare() {
    seen=$fence
    set -C
    { printf '\n%32s\n' ' ' >"$dir/exit"; } 2>/dev/null
    blank=$?
    set +C
    if ended "$dir"; then return; fi
    [ $blank -eq 0 ] && printf %s "$script" >"$dir/script" && true >"$dir/out" && true >"$dir/err" &&
        printf '%s\n' "$kind $fence" >"$dir/kind" || refuse_unwritten "cannot write $dir"
}

# A matter of moments, unless whoever was at it died over it. Then the step never began, and never will.
await_preparation() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
        if [ -s "$dir/kind" ] || ended "$dir"; then return; fi
        [ -d "$dir" ] || break
        sleep 0.2
    done
    if [ ! -d "$dir" ]; then
        tell "broken the record $dir was given up while this was waiting for it"
        return 1
    fi
    exec 7>>"$dir/running"
    flock -x 7
    [ -e "$dir/started" ] || record "$dir" lost
    exec 7>&-
}

# Whoever asks again means the same step: another one would be told how this one ended, and never run. `-` means
# whatever is there.
check_kind() {
    known=$kind
    [ -s "$dir/kind" ] && read -r known _ <"$dir/kind"
    if [ "$kind" = - ] || [ "$known" = "$kind" ]; then return; fi
    tell another
    return 1
}

# The lock is taken before anything else and ends with the supervisor, which is `timeout`, however that ends: nothing that it
# starts and that lasts has its descriptor. Who comes second is told so by 75.
start() {
    end_earlier_attempts
    flock $holding -n -E 75 "$dir/running" setsid timeout --foreground -s USR1 "$limit" \
        sh "$self" supervise "$dir" </dev/null >/dev/null &
    watched=$!
}

# Somebody else's step: a child that lasts as long as its supervisor does, and says so at the end.
join() {
    flock $holding -s "$dir/running" echo over </dev/null >&2 &
    watched=$!
}

# Keys are <task>-<attempt>-<number>. Nobody asks for an earlier attempt any more, but what it began may still run: its
# connection was away for too long, or its job was aborted while no daemon was there. What it is about to begin finds
# the mark `stop`.
end_earlier_attempts() {
    for other in "$state/steps/${key%-*-*}"-*-*; do
        if ! is_attempt -lt "$other" || ended "$other"; then continue; fi
        ask_for_end "$other"
        flock -s -w 10 "$other/running" true && end_unattended "$other"
    done
}

# An earlier attempt that was held up on its way must not run beside the later one or after it.
refuse_after_later_attempt() {
    for other in "$state/steps/${key%-*-*}"-*-*; do
        if is_attempt -gt "$other"; then
            tell "fenced $seen"
            return 1
        fi
    done
}

# is_attempt -lt|-gt <dir of an attempt of the same task>: compared with the attempt of the key.
is_attempt() {
    task=${key%-*-*}
    attempt=${key#"$task"-}
    of_dir=${2#"$state/steps/$task"-}
    [ "${of_dir%-*}" "$1" "${attempt%-*}" ] 2>/dev/null
}

# Passes on what came meanwhile, and tells how the step ended or, with 1, that it goes on.
look_once() {
    if is_over; then
        report
        return 0
    fi
    pass_on
    tell on
    return 1
}

# Either its end is recorded, or nobody is there any more who would do so.
is_over() {
    if ended "$dir"; then return 0; fi
    if goes_on "$watched"; then return 1; fi
    wait "$watched"
    case $? in
        75) join ;;
        64) hold_without_handing_on ;;
        *) return 0 ;;
    esac
    return 1
}

# Before util-linux 2.34 flock does not know `-F` and says so by 64: then it stays, and holds the lock itself.
hold_without_handing_on() {
    [ $holding = -F ] || return 0
    holding=-o
    if [ -e "$dir/started" ]; then join; else start; fi
}

# Only what is new by its time: `cat` costs a process. It goes on where the one before it stopped.
pass_on() {
    news=
    has_news "$dir/out" && news=out
    has_news "$dir/err" && news=$news,err
    [ -n "$news" ] || return 0
    [ -n "$passed" ] || exec 3<"$dir/out" 4<"$dir/err"
    passed=$dir/passed.$$
    { true >"$passed"; } 2>/dev/null
    case $news in *out*) pass_out ;; esac
    case $news in *err*) pass_err ;; esac
}

has_news() { [ -s "$1" ] && ! [ "$passed" -nt "$1" ]; }
pass_out() { tell out && cat <&3; }
pass_err() { tell err && cat <&4; }

# Most steps have ended before anybody looks: their output takes one process.
pass_on_rest() {
    if [ -n "$passed" ]; then
        [ ! -s "$dir/out" ] || pass_out
        [ ! -s "$dir/err" ] || pass_err
    elif [ -s "$dir/err" ]; then
        tell out
        cat "$dir/out" - "$dir/err" <<END
$token err
END
    elif [ -s "$dir/out" ]; then
        tell out
        cat "$dir/out"
    fi
}

report() {
    ended "$dir" || end_unattended "$dir"
    if ! ended "$dir"; then
        [ -d "$dir" ] || refuse "its record $dir was removed while the step ran, so nobody knows how it ended" || return
        refuse_unwritten "how the step ended could not be written to $dir, or it could not be started"
        return
    fi
    pass_on_rest
    tell err
    case $ending in
        lost) echo "cooperage: the step was started but its processes are gone without a result" \
            "(restarted or killed); it is not run again under the key $key" ;;
        expired) echo "cooperage: killed after its limit of $limit s" ;;
        stopped) echo "cooperage: stopped on request" ;;
    esac
    tell "$ending"
}

# end_unattended <dir>: to be called when the lock is free. What began and has not ended lost its supervisor; the runner
# may still be in time with the result.
end_unattended() {
    if ended "$1" || [ ! -e "$1/started" ]; then return; fi
    kill_leftovers "$1"
    record "$1" lost
}

# The ledger is empty. Where somebody removed it, a step may run of which nobody knows any more: it must not run beside
# another one, and whoever asks for it is told that it is lost. Under a lock, because others may be about to begin here.
begin_ledger() {
    [ -d "$state/steps" ] || mkdir -p "$state/steps" 2>/dev/null
    { true >>"$state/ledger"; } 2>/dev/null || return 1
    exec 6>>"$state/ledger"
    flock 6
    set -- "$state"/steps/*
    if [ ! -e "$1" ]; then end_unrecorded; fi
    make_record
    made=$?
    exec 6>&-
    return $made
}

end_unrecorded() {
    for process in /proc/[0-9]*; do
        case $({ tr '\000' '\n' <"$process/cmdline"; } 2>/dev/null) in
            "sh
$self
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
    if finds_runner "$1"; then kill -KILL "$runner"; fi
    [ -s "$1/pid" ] && read -r leader <"$1/pid" || return
    has_argument "$leader" "$1/script" || return
    signal_session KILL "$leader"
}

finds_runner() {
    [ -s "$1/started" ] && read -r runner <"$1/started" && has_argument "$runner" "$1"
}

# has_argument <process> <text>: whole. The grep of busybox ends a line at a zero byte.
has_argument() {
    { tr '\000' '\n' <"/proc/$1/cmdline"; } 2>/dev/null | grep -q -x -F -e "$2"
}

# Asks the runner to end the step as at its limit, and does not wait for it. A step that has not begun never will;
# one that has ended, or that a higher fence has asked for, is left alone.
stop() {
    key=$1 fence=$2 mine=''
    open_record || exit 1
    read_fence
    if [ "$fence" -lt "$seen" ] || ended "$dir"; then exit 0; fi
    if [ -n "$mine" ]; then
        record "$dir" stopped
        exit
    fi
    ask_for_end "$dir" || exit 1
    exec 7>>"$dir/running"
    flock -n -x 7 || exit 0
    [ -e "$dir/started" ] || record "$dir" stopped
    end_unattended "$dir"
}

# Who asks leaves the mark first and looks for the runner then; that one makes itself known first and looks for the mark
# then.
ask_for_end() {
    true >"$1/stop" || return 1
    if finds_runner "$1"; then kill -s USR1 "$runner"; fi
    return 0
}

# Keeps the newest thousand steps. Removing under the lock of `running` leaves alone what still runs.
prune() {
    set --
    for old in $(ls -t "$state/steps" | tail -n +1001); do
        old=$state/steps/$old
        if ended "$old"; then set -- "$@" "$old"; else flock -n -x "$old/running" rm -rf "$old"; fi
    done
    [ $# -eq 0 ] || rm -rf "$@"
}

put() {
    path=$1 mode=$2 bytes=$3 sum=${4-}
    place arrives
}

write() {
    check_request "$1" "${5-}"
    check_ledger
    path=$2 mode=$3 content=$4
    place is_written 2>&1
    tell "exit $?"
    content=
}

# place <what fills it>: the file takes its place when it is whole.
place() {
    folder=${path%/*}/
    [ -d "$folder" ] || (umask 022 && mkdir -p "$folder") || return 1
    if [ -d "$path" ]; then
        echo "$path is a directory" >&2
        return 1
    fi
    temporary=$(mktemp "$path.XXXXXX") || return 1
    wrong=
    "$1" && chmod "$mode" "$temporary" && mv -f "$temporary" "$path" && return
    # First of all: to speak to somebody who has hung up is the end.
    rm -f "$temporary"
    [ -n "$wrong" ] || return 1
    echo "$wrong" >&2
    return 65
}

is_written() {
    { printf %s "$content" >"$temporary"; } 2>/dev/null || {
        reason_at "$temporary"
        return 1
    }
}

# A connection that breaks looks like the end of the input, so the size is checked.
arrives() {
    cat >"$temporary" || return 1
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
