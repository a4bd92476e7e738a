#!/bin/sh
# hadoop-like.sh ROLE ACTION: one script for all daemons of the catalogue; what differs is in the roles' programs.
set -eu
export DEBIAN_FRONTEND=noninteractive

role=$1
action=$2
home=/usr/lib/hadoop-like
program=$home/bin/hadoop-like
conf=/etc/hadoop-like
data=/var/lib/hadoop-like
log=/var/log/hadoop-like/$role.log
pid_file=/run/hadoop-like-$role.pid

# The daemons and their commands run as a user of their own, with this node's configuration.
as_hadoop() { runuser -u hadoop -- "$program" "$role" "$@"; }

port() {
    case "$role" in
        zookeeper-server) echo 2181 ;;
        hadoop-hdfs-namenode) echo 9870 ;;
        hadoop-hdfs-secondarynamenode) echo 9868 ;;
        hadoop-hdfs-datanode) echo 9864 ;;
        hadoop-yarn-resourcemanager) echo 8088 ;;
        hadoop-yarn-nodemanager) echo 8042 ;;
        hadoop-mapreduce-historyserver) echo 19888 ;;
        hbase-master) echo 16010 ;;
        hbase-regionserver) echo 16030 ;;
        hive-metastore) echo 9083 ;;
        hue) echo 8888 ;;
        *) echo "hadoop-like.sh: there is no role $role" >&2 && exit 2 ;;
    esac
}

install_packages() {
    packages=python3
    if [ "$role" = hive-metastore ]; then packages="python3 python3-pymysql"; fi
    # shellcheck disable=SC2086
    apt-get -q install -y --no-install-recommends $packages
    # Several roles share a node: the program comes anew with each, as the archive has it now.
    mkdir -p $home && cp -a "$PWD/../archives/hadoop-like/." $home
    id hadoop >/dev/null 2>&1 || useradd --system --home-dir $data --shell /usr/sbin/nologin hadoop
    install -d -o hadoop -g hadoop $data /var/log/hadoop-like
    install -d -g hadoop -m 750 $conf
}

configure() {
    "$home/bin/write-site" $conf
    chgrp hadoop $conf/*
}

# The part of the first start that is done once for the cluster or waits for what the role needs.
initialize() {
    case "$role" in
        hadoop-hdfs-namenode) as_hadoop format ;;
        hbase-master) runuser -u hadoop -- "$program" zookeeper-server quorum && as_hadoop rootdir ;;
        hive-metastore) as_hadoop schema ;;
        hue) as_hadoop home ;;
    esac
}

runs() { start-stop-daemon --status --pidfile "$pid_file"; }

# Whether the daemon answers and, where its role means more (registered at its master), whether that is so.
ready() {
    python3 - "$(port)" "$role" <<'PYTHON'
import json, sys, urllib.request
port, role = sys.argv[1:]
status = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5))
for key in ("registered", "checkpoint"):
    if key in status and not status[key]:
        sys.exit(f"not {key} yet: {json.dumps(status)}")
print(f"{role} answers on port {port}: {json.dumps(status)}")
PYTHON
}

start() {
    if runs; then echo "$role runs already"; else
        start-stop-daemon --start --background --make-pidfile --pidfile "$pid_file" --output "$log" \
            --chuid hadoop --chdir / --startas "$program" -- "$role"
    fi
    for _ in $(seq 120); do
        runs || break
        if said=$(ready 2>&1); then
            echo "$said"
            return
        fi
        sleep 0.25
    done
    {
        echo "the last lines of $log:"
        tail -n 15 "$log"
        if runs; then echo "$role does not get ready: $(echo "$said" | tail -n 1)"; else echo "$role ended: $(tail -n 1 "$log")"; fi
    } >&2
    exit 1
}

stop() { start-stop-daemon --stop --oknodo --retry TERM/10/KILL/5 --remove-pidfile --pidfile "$pid_file"; }

case "$action" in
    install) install_packages ;;
    configure | initialize | start | stop) "$action" ;;
    *) echo "hadoop-like.sh: unknown action $action" >&2; exit 2 ;;
esac
