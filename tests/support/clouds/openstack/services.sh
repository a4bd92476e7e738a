#!/usr/bin/env bash
# The services of the cloud, run inside its root, where this folder is /srv/openstack.
#   services.sh prepare          databases, accounts and what populate.py makes; once, then everything is ended
#   services.sh run              as the first process: starts everything and stays
#   services.sh start|stop NAME  one of them, as an outage does it
set -euo pipefail

conf=/etc/openstack
log=/var/log/cloud
run=/run/cloud
databases=(keystone placement glance nova nova_api nova_cell0 neutron)
# In the order in which they start: the last answer only when the others do.
services=(mariadb rabbitmq keystone placement glance neutron nova-conductor nova-scheduler nova-compute nova-api)

say() { printf '[%d s] %s\n' $SECONDS "$*"; }

die() {
    echo "FAILED: $*" >&2
    exit 1
}

# Becomes the service.
program_of() {
    # It closes every connection; clients must know it beforehand, or they send their next request into the end of this one.
    local wsgi=(uwsgi_python3 --master --die-on-term --processes 1 --threads 4 --enable-threads --need-app --lazy-apps --buffer-size 65535
        --add-header "Connection: close")
    case "$1" in
        mariadb)
            # What it holds need not survive a power cut, and filling it would wait for the disk most of the time.
            exec eatmydata mariadbd --no-defaults --user=mysql --datadir=/var/lib/mysql --socket=/run/mysqld/mysqld.sock --bind-address=127.0.0.1 \
                --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=96M --performance-schema=OFF --max-connections=400
            ;;
        rabbitmq)
            export HOME=/var/lib/rabbitmq ERL_EPMD_ADDRESS=127.0.0.1 RABBITMQ_NODENAME=cloud@localhost \
                RABBITMQ_CONFIG_FILE=$conf/rabbitmq.conf RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_LOG_BASE=$log \
                RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none"
            exec /usr/lib/rabbitmq/bin/rabbitmq-server
            ;;
        keystone)
            export OS_KEYSTONE_CONFIG_FILES="$conf/keystone.conf;$conf/own-keystone.conf"
            exec "${wsgi[@]}" --http-socket 127.0.0.1:5000 --wsgi-file /usr/bin/keystone-wsgi-public
            ;;
        placement)
            export OS_PLACEMENT_CONFIG_DIR=$conf
            exec "${wsgi[@]}" --http-socket 127.0.0.1:8778 --wsgi-file /usr/bin/placement-api
            ;;
        glance) exec glance-api --config-file $conf/glance.conf ;;
        neutron) PYTHONPATH=/srv/openstack exec neutron-server --config-file $conf/neutron.conf ;;
        nova-compute) exec nova-compute --config-file $conf/nova.conf ;;
        # Not under uwsgi: nova-api dies when eventlet meets its threads.
        nova-*) exec "$1" --config-file $conf/nova.conf --config-file $conf/nova-databases.conf ;;
        *) die "there is no service $1: ${services[*]}" ;;
    esac
}

runs() { [ -e "$run/$1" ] && kill -0 "$(cat "$run/$1")" 2>/dev/null; }

start() {  # start NAME
    if runs "$1"; then return; fi
    # A group of its own: services have children that outlive them.
    setsid "$0" become "$1" >>"$log/$1.out" 2>&1 </dev/null &
    echo $! >"$run/$1"
}

stop() {  # stop NAME
    local pid patience=10
    runs "$1" || return 0
    pid=$(cat "$run/$1")
    # The others would wait a minute for the ends of calls that nobody makes any more.
    case "$1" in mariadb | rabbitmq) patience=300 ;; esac
    kill "$pid"
    for _ in $(seq $patience); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 -- "-$pid" 2>/dev/null || true
    rm -f "$run/$1"
}

wait_for_port() {  # wait_for_port NAME PORT
    for _ in $(seq 6000); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; then return; fi
        runs "$1" || die "$1 has ended: $(tail -n 5 "$log/$1.out")"
        sleep 0.1
    done
    die "$1 does not listen on port $2"
}

write_settings() {
    local file
    mkdir -p $conf $log $run /run/mysqld /var/lib/nova/locks /var/lib/neutron/locks
    chown mysql /run/mysqld
    for file in /srv/openstack/conf/*.conf; do
        sed -e '/^@AUTH@$/{r /srv/openstack/conf/auth.conf' -e 'd}' "$file" >"$conf/$(basename "$file")"
    done
    printf '[token]\nexpiration = %d\n' "${TOKEN_SECONDS:-3600}" >$conf/own-keystone.conf
}

make_databases() {
    local name
    {
        for name in "${databases[@]}"; do echo "CREATE DATABASE $name CHARACTER SET utf8mb3;"; done
        echo "CREATE USER openstack@'127.0.0.1' IDENTIFIED BY 'openstack'; GRANT ALL ON *.* TO openstack@'127.0.0.1';"
    } | mariadb
}

fill_keystone() {
    local manage=(keystone-manage --config-file $conf/keystone.conf)
    "${manage[@]}" db_sync
    "${manage[@]}" fernet_setup --keystone-user root --keystone-group root
    "${manage[@]}" credential_setup --keystone-user root --keystone-group root
    "${manage[@]}" bootstrap --bootstrap-password admin-password --bootstrap-region-id RegionOne \
        --bootstrap-admin-url http://127.0.0.1:5000/v3 --bootstrap-internal-url http://127.0.0.1:5000/v3 \
        --bootstrap-public-url http://127.0.0.1:5000/v3
}

fill_nova() {
    local manage=(nova-manage --config-file $conf/nova.conf --config-file $conf/nova-databases.conf)
    "${manage[@]}" api_db sync
    "${manage[@]}" cell_v2 map_cell0 --database_connection mysql+pymysql://openstack:openstack@127.0.0.1/nova_cell0
    "${manage[@]}" db sync
    "${manage[@]}" cell_v2 create_cell --name cell1
}

fill_others() {
    OS_PLACEMENT_CONFIG_DIR=$conf placement-manage --config-file $conf/placement.conf db sync
    glance-manage --config-file $conf/glance.conf db_sync
    PYTHONPATH=/srv/openstack neutron-db-manage --config-file $conf/neutron.conf upgrade head
}

# Everything at once: each is a program that mostly computes by itself.
fill_databases() {
    local what result=0 fillers=()
    for what in keystone nova others; do
        (fill_$what) >"$log/fill-$what.out" 2>&1 &
        fillers+=($!)
    done
    for what in "${fillers[@]}"; do wait "$what" || result=1; done
    [ $result -eq 0 ] || die "a database could not be filled: $(tail -n 5 "$log"/fill-*.out)"
}

start_keystone() {
    start mariadb
    start rabbitmq
    wait_for_port mariadb 3306
    start keystone
    wait_for_port keystone 5000
}

# Conductor, scheduler and compute log in when they start, and end when nobody lets them.
start_others() {
    local service
    start placement
    wait_for_port rabbitmq 5672
    for service in "${services[@]:4}"; do start "$service"; done
    local port
    for port in keystone:5000 placement:8778 glance:9292 neutron:9696 nova-api:8774 nova-api:8775; do
        wait_for_port "${port%:*}" "${port#*:}"
    done
}

prepare() {
    write_settings
    start mariadb
    wait_for_port mariadb 3306
    make_databases
    say "filling the databases"
    fill_databases
    say "accounts"
    start_keystone
    /usr/bin/python3 /srv/openstack/populate.py accounts
    say "starting the services"
    start_others
    say "images, flavors and networks"
    /usr/bin/python3 /srv/openstack/populate.py things /root/access.json
    local service
    for ((service = ${#services[@]} - 1; service >= 0; --service)); do stop "${services[service]}"; done
    rm -f "$log"/*
    say "prepared"
}

run_all() {
    write_settings
    start_keystone
    start_others
    # Reaps what others leave; a service that an outage has ended stays away.
    while true; do
        sleep 3600 &
        wait $! || true
    done
}

case "${1:-}" in
    prepare) prepare ;;
    run) run_all ;;
    start | stop) "$1" "$2" ;;
    become) program_of "$2" ;;
    *) die "usage: services.sh prepare | run | start NAME | stop NAME" ;;
esac
