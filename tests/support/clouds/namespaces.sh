# A cloud of the tests has a network of its own, so that many can run on one machine. Others read this file. What a cloud is in a folder is
# in its file `pid`: number and start time of the first process there.

start_time_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

# first_process PID: the process that the `unshare --pid --fork` of that number has put into its namespaces. A shell has other children
# before it becomes `unshare`: those that expand the words of the command.
first_process() {
    local child own
    own=$(readlink /proc/self/ns/pid)
    for _ in $(seq 200); do
        for child in $(pgrep -P "$1"); do
            case $(readlink "/proc/$child/ns/pid") in
                '' | "$own") ;;
                *) echo "$child" && return ;;
            esac
        done
        sleep 0.05
    done
    return 1
}

record_pid() {  # record_pid DIR PID
    local began
    began=$(start_time_of "$2")
    [ -n "$began" ] || return 1
    echo "$2 $began" >"$1/pid"
}

pid_in() {  # pid_in DIR: the first process of the cloud there
    local pid began
    [ -r "$1/pid" ] || return 1
    read -r pid began <"$1/pid" || return 1
    [ -n "$began" ] && [ "$(start_time_of "$pid")" = "$began" ] && echo "$pid"
}

# Everything in its process namespace ends with the first process.
end_cloud() {  # end_cloud DIR
    local pid
    if pid=$(pid_in "$1"); then
        kill -9 "$pid" 2>/dev/null || true  # it may just have ended
        while [ -d "/proc/$pid" ]; do sleep 0.05; done
    fi
    rm -f "$1/pid"
}

enter_network() {  # enter_network PID COMMAND...: becomes a command of this machine in the network of a process
    local pid=$1
    shift
    # The mounts are its own, too, because /sys shows the network.
    exec nsenter --target "$pid" --net unshare --mount --propagation private sh -c 'mount -t sysfs sysfs /sys; exec "$@"' enter "$@"
}
