#!/bin/sh
# HAProxy on the cluster's port, spreading requests over all application servers.
set -eu
export DEBIAN_FRONTEND=noninteractive

config=/etc/haproxy/web.cfg
pid_file=/run/haproxy-web.pid

install_packages() {
    if command -v haproxy >/dev/null; then return; fi
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    apt-get install -y --no-install-recommends haproxy
    printf '#!/bin/sh\nexit 0\n' >/usr/sbin/policy-rc.d
}

refuse() { echo "web-balancer.sh: config/cluster/web/$1 must be $2" >&2; exit 78; }
# Stops unless the value is what its user may write: it becomes a part of the configuration, whose other words HAProxy obeys as root.
expect_port() {
    case "$2" in
        '' | *[!0-9]* | 0* | ??????*) refuse "$1" "a port: an integer from 1 to 65535" ;;
    esac
    if [ "$2" -gt 65535 ]; then refuse "$1" "a port: an integer from 1 to 65535"; fi
}
expect_address() {
    case "$2" in
        '' | -* | *[!0-9A-Za-z.:_-]*) refuse "$1" "addresses with ports, separated by spaces" ;;
    esac
}

configure() {
    port=$(coopr_lookup_key config/cluster/web/port)
    expect_port port "$port"
    servers=$(coopr_lookup_key config/cluster/web/servers)
    # An asterisk is refused below; it names no files.
    set -f
    for server in $servers; do expect_address servers "$server"; done
    {
        cat <<CFG
global
    user haproxy
    group haproxy
    maxconn 1000
defaults
    mode http
    timeout connect 2s
    timeout client 30s
    timeout server 30s
    retries 2
    option redispatch
frontend web
    bind 0.0.0.0:$port
    default_backend servers
backend servers
    balance roundrobin
    option httpchk GET /
CFG
        number=0
        for server in $servers; do
            number=$((number + 1))
            echo "    server app$number $server check inter 1s rise 1"
        done
    } >"$config"
    set +f
    haproxy -c -f "$config"
}

start() {
    if [ -e "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null; then return; fi
    haproxy -D -f "$config" -p "$pid_file"
}

stop() {
    if [ -e "$pid_file" ]; then kill "$(cat "$pid_file")" 2>/dev/null || true; fi
    rm -f "$pid_file"
}

case "$1" in
    install) install_packages ;;
    configure | start | stop) "$1" ;;
    *) echo "web-balancer.sh: unknown action $1" >&2; exit 2 ;;
esac
