#!/bin/sh
# MariaDB with one table of one row, readable over the network by the user "web".
set -eu
export DEBIAN_FRONTEND=noninteractive

run_dir=/run/mysqld
socket=$run_dir/mysqld.sock

# In binary mode the client takes no commands of its own, such as \! for a shell.
ask() { mariadb --socket="$socket" --default-character-set=utf8mb4 --batch --binary-mode "$@"; }
# A text of the configuration, in quotes for SQL.
text() { printf "'%s'" "$(coopr_lookup_key "config/cluster/web/$1" | sed "s/[\\\\']/\\\\&/g")"; }
answers() { mariadb-admin --socket="$socket" ping >/dev/null 2>&1; }

install_packages() {
    if command -v mariadbd >/dev/null; then return; fi
    # The package must not start its own server: `start` below does, with our settings.
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    apt-get install -y --no-install-recommends mariadb-server
    printf '#!/bin/sh\nexit 0\n' >/usr/sbin/policy-rc.d
}

configure() {
    cat >/etc/mysql/mariadb.conf.d/90-web.cnf <<'CNF'
[mysqld]
bind-address = 0.0.0.0
skip-name-resolve
innodb_buffer_pool_size = 32M
performance_schema = OFF
CNF
}

wait_until_it_answers() {
    for _ in $(seq 300); do
        if answers; then return; fi
        sleep 0.1
    done
    echo "mariadbd does not answer; its last words:" >&2
    tail -n 20 /var/log/mysql/error.log >&2
    exit 1
}

fill() {
    ask <<SQL
CREATE DATABASE IF NOT EXISTS web CHARACTER SET utf8mb4;
CREATE TABLE IF NOT EXISTS web.page (id INT PRIMARY KEY, title TEXT NOT NULL, written_at TIMESTAMP NOT NULL);
INSERT INTO web.page VALUES (1, $(text title), CURRENT_TIMESTAMP) ON DUPLICATE KEY UPDATE title = VALUES(title);
CREATE OR REPLACE USER 'web'@'%' IDENTIFIED BY $(text database_password);
GRANT SELECT ON web.page TO 'web'@'%';
SQL
}

start() {
    if ! answers; then
        mkdir -p "$run_dir" /var/log/mysql
        chown mysql:mysql "$run_dir" /var/log/mysql
        setsid mariadbd --user=mysql --log-error=/var/log/mysql/error.log </dev/null >/dev/null 2>&1 &
        wait_until_it_answers
    fi
    fill
    echo "the database answers: $(ask -N -e 'SELECT title FROM web.page')"
}

stop() {
    if answers; then mariadb-admin --socket="$socket" shutdown; fi
}

case "$1" in
    install) install_packages ;;
    configure | start | stop) "$1" ;;
    *) echo "web-database.sh: unknown action $1" >&2; exit 2 ;;
esac
