#!/usr/bin/env bash
# Runs as the first process of a pristine root: the packages beside Apache, and a database that is reached by name, over TLS with a
# certificate authority of one's own, as sql/README.md says it.
set -euo pipefail
logs=(/var/log/cooperage/{web,provisioner,local-hosts}.log /var/log/apache2/error.log)
. /srv/story.sh

step() {  # step WHAT COMMAND...: says how long it took
    local what=$1
    shift
    echo "== $what"
    local TIMEFORMAT=$'\n'"== $what: %1R s"
    # In a shell of its own, where a failed command ends the step.
    time bash -euo pipefail -c "$(declare -f); $*" || die "$what"
}

step "apt-get update" apt-get -q update
step "what a machine has and a root has not" apt-get -q install -y --no-install-recommends systemd-sysv cron openssl
step "packages" apt-get -q install -y ./cooperage-*.deb mariadb-server apache2 curl jq

# ---- the server of the database, as its administrator sets it up -----------------------------------------------------------

certificate() {  # certificate NAME: NAME.pem and NAME-key.pem, signed by the authority of that folder
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$1-key.pem" -out "$1.csr" 2>/dev/null
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 30 -out "$1.pem" \
        -extfile <(echo "subjectAltName=DNS:$1") 2>/dev/null
}

authority() { openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" -keyout ca-key.pem -out ca.pem 2>/dev/null; }

server() {
    mkdir /srv/ca
    cd /srv/ca
    authority "an authority" && certificate db1.example
    chmod 644 ./*.pem
    echo "127.0.0.1 db1.example db2.example" >>/etc/hosts
    cat >/etc/mysql/mariadb.conf.d/99-tls.cnf <<TEXT
[mysqld]
bind-address = 127.0.0.1
ssl_cert = /srv/ca/db1.example.pem
ssl_key = /srv/ca/db1.example-key.pem
require_secure_transport = ON
max_allowed_packet = 512M
TEXT
    service mariadb restart
    install -m 644 ca.pem /etc/cooperage/db-ca.pem
    mkdir -p other && cd other && authority "another authority"
    install -m 644 ca.pem /etc/cooperage/other-ca.pem
    cd /srv/admin
}
step "a server of its own, with TLS" server

# ---- what sql/README.md says --------------------------------------------------------------------------------------------------

cat >/etc/cooperage/conf.d/database.conf <<'TEXT'
database.host = db1.example
database.tls_ca = /etc/cooperage/db-ca.pem
web.database.password_file = /etc/cooperage/web.password
provisioner.database.password_file = /etc/cooperage/provisioner.password
TEXT
prepare() {
    cooperage-migrate grants --from localhost >grants.sql
    mariadb <grants.sql
    cooperage-migrate check
    cooperage-migrate up
    cooperage-migrate seed --access access.json --url http://127.0.0.1:8080
    cooperage-migrate seed --seed /usr/share/cooperage/sql/examples/simulated --access access.json --url http://127.0.0.1:8080
    cooperage-web --check
    cooperage-provisioner --check
}
step "accounts, schema, catalogue" prepare

refusals() {
    local setting
    for setting in 'database.host = db2.example' 'database.tls_ca = /etc/cooperage/other-ca.pem'; do
        echo "$setting" >/etc/cooperage/conf.d/zz.conf
        if cooperage-web --check >/srv/refused 2>&1; then die "with $setting the server is believed"; fi
        grep -qi 'certificate' /srv/refused || die "with $setting the refusal says: $(cat /srv/refused)"
    done
    rm /etc/cooperage/conf.d/zz.conf
}
step "a wrong name and another authority are refused" refusals

take_settings() {
    service cooperage-web reload
    service cooperage-provisioner reload
}
step "both programs take the settings" take_settings

# ---- Apache -------------------------------------------------------------------------------------------------------------------

apache() {
    a2enmod -q proxy_fcgi headers deflate buffer setenvif reqtimeout alias
    a2ensite -q cooperage
    apache2ctl configtest
    service apache2 restart
    try_for 30 curl -sf http://127.0.0.1:8080/readyz || die "readyz: $(curl -s http://127.0.0.1:8080/readyz)"
}
step "the site of Apache" apache

api() {
    local key
    key=$(jq -r '.users[] | select(.user == "demo") | .apikey' access.json)
    curl -sS --max-time 30 -H "Coopr-UserID: demo" -H "Coopr-TenantID: demo" -H "Coopr-ApiKey: $key" "$@"
}
is() { [ "$(api "http://127.0.0.1:8080/v2/clusters/$1/status" | jq -r .status)" = "$2" ]; }

cluster() {
    local id
    # The daemon says what its providers are once it has reached the database.
    try_for 60 grep -q daemon.started /var/log/cooperage/provisioner.log || die "the daemon does not reach the database"
    id=$(api -X POST http://127.0.0.1:8080/v2/clusters -d '{"name":"site","clusterTemplate":"simulated-ten","numMachines":10}' | jq -r .id)
    try_for 60 is "$id" active || die "the cluster is $(api "http://127.0.0.1:8080/v2/clusters/$id/status")"
    api -X DELETE "http://127.0.0.1:8080/v2/clusters/$id" >/dev/null
    try_for 60 is "$id" terminated || die "the cluster is $(api "http://127.0.0.1:8080/v2/clusters/$id/status")"
    mariadb -Ne "SHOW GLOBAL STATUS LIKE 'Ssl_accepts'" | awk '{ exit !($2 > 3) }' || die "nobody came over TLS"
}
step "a cluster by curl" cluster

remove() {
    apt-get -q remove -y cooperage-web >/dev/null
    apache2ctl configtest || die "Apache does not start any more"
}
step "removal" remove
echo "1 passed, 0 failed"
