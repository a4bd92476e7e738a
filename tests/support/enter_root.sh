# What a process does that becomes the first of a machine in a root of its own: its mounts, and the way into the root. Others read this
# file; the caller has mount, process and network namespaces of its own and is root.

mount_what_a_machine_has() {  # mount_what_a_machine_has ROOT
    local root=$1 node
    mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
    mount -t sysfs -o nosuid,nodev,noexec sysfs "$root/sys"
    mount -t tmpfs -o nosuid,mode=755 tmpfs "$root/dev"
    mount -t tmpfs -o nosuid,nodev,mode=755 tmpfs "$root/run"
    for node in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 "$root/dev/${node%:*}" c 1 "${node#*:}"
    done
    mknod -m 666 "$root/dev/tty" c 5 0
    mkdir "$root/dev/pts" "$root/dev/shm" "$root/run/lock"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s /proc/self/fd/0 "$root/dev/stdin"
    ln -s /proc/self/fd/1 "$root/dev/stdout"
    ln -s /proc/self/fd/2 "$root/dev/stderr"
}

go_into() {  # go_into ROOT: nothing outside it can be seen any more
    cd "$1"
    mkdir -p .old
    pivot_root . .old
    umount -l /.old
    rmdir /.old
}
