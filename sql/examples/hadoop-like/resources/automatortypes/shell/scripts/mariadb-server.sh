#!/bin/sh
# MariaDB with one database and one user, both as config/cluster/mariadb names them.
set -eu
export DEBIAN_FRONTEND=noninteractive

socket=/run/mysqld/mysqld.sock
log=/var/log/mysql/error.log

# In binary mode the client takes no commands of its own, such as \! for a shell.
ask() { mariadb --socket=$socket --batch --binary-mode "$@"; }
answers() { mariadb-admin --socket=$socket ping >/dev/null 2>&1; }
setting() { coopr_lookup_key "config/cluster/mariadb/$1"; }

install_packages() {
    if command -v mariadbd >/dev/null; then return; fi
    # The package must not start its own server: `start` below does, with our settings.
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    apt-get -q install -y --no-install-recommends mariadb-server
    printf '#!/bin/sh\nexit 0\n' >/usr/sbin/policy-rc.d
}

configure() {
    cat >/etc/mysql/mariadb.conf.d/90-cluster.cnf <<CNF
[mysqld]
bind-address = 0.0.0.0
skip-name-resolve
innodb_buffer_pool_size = $(setting innodb_buffer_pool_size)
performance_schema = OFF
CNF
}

# A name in backquotes, a text in quotes: whatever stands in the configuration stays one word.
name() { printf '`%s`' "$(setting "$1" | sed 's/`/``/g')"; }
text() { printf "'%s'" "$(setting "$1" | sed "s/[\\\\']/\\\\&/g")"; }

grant() {
    ask <<SQL
CREATE DATABASE IF NOT EXISTS $(name database) CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS $(text user)@'%';
ALTER USER $(text user)@'%' IDENTIFIED BY $(text password);
GRANT ALL ON $(name database).* TO $(text user)@'%';
SQL
}

start() {
    if ! answers; then
        install -d -o mysql -g mysql ${socket%/*} ${log%/*}
        setsid mariadbd --user=mysql --log-error=$log </dev/null >/dev/null 2>&1 &
        for _ in $(seq 300); do
            if answers; then break; fi
            sleep 0.1
        done
        answers || { tail -n 20 $log >&2 && echo "mariadbd does not answer" >&2 && exit 1; }
    fi
    grant
    echo "the database $(setting database) is there for $(setting user)"
}

stop() {
    if answers; then mariadb-admin --socket=$socket shutdown; fi
}

case "$1" in
    install) install_packages ;;
    configure | start | stop) "$1" ;;
    *) echo "mariadb-server.sh: unknown action $1" >&2; exit 2 ;;
esac
