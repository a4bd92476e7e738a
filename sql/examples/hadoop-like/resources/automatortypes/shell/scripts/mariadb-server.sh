#!/bin/sh
# MariaDB with one database and one user, both as config/cluster/mariadb names them. The cluster's user writes what stands there:
# it becomes no line of a configuration file, no SQL, and no right at other databases.
set -eu
export DEBIAN_FRONTEND=noninteractive

socket=/run/mysqld/mysqld.sock
log=/var/log/mysql/error.log

# In binary mode the client takes no commands of its own, such as \! for a shell.
ask() { mariadb --socket=$socket --batch --binary-mode "$@"; }
answers() { mariadb-admin --socket=$socket ping >/dev/null 2>&1; }
setting() { coopr_lookup_key "config/cluster/mariadb/$1"; }
refuse() { echo "mariadb-server.sh: config/cluster/mariadb/$1 must be $2" >&2; exit 2; }

install_packages() {
    if command -v mariadbd >/dev/null; then return; fi
    # The package must not start its own server: `start` below does, with our settings.
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    apt-get -q install -y --no-install-recommends mariadb-server
    printf '#!/bin/sh\nexit 0\n' >/usr/sbin/policy-rc.d
}

configure() {
    size=$(setting innodb_buffer_pool_size)
    case "${size%[KMGkmg]}" in
        '' | 0* | *[!0-9]* | ?????????????*) refuse innodb_buffer_pool_size "a size: digits, and K, M or G, such as 32M" ;;
    esac
    cat >/etc/mysql/mariadb.conf.d/90-cluster.cnf <<CNF
[mysqld]
bind-address = 0.0.0.0
skip-name-resolve
innodb_buffer_pool_size = $size
performance_schema = OFF
CNF
}

# In a grant a name is a pattern (_ and % stand for others), and who may write to the server's own databases may do everything.
read_names() {
    database=$(setting database)
    case "$database" in
        '' | *[!0-9A-Za-z_]*) refuse database "a name of letters, digits and _" ;;
    esac
    case "$(printf %s "$database" | tr A-Z a-z)" in
        mysql | sys | information_schema | performance_schema) refuse database "no database of the server itself" ;;
    esac
    pattern=$(printf %s "$database" | sed 's/_/\\_/g')
    user=$(setting user)
    case "$user" in
        '' | *[!0-9A-Za-z_]*) refuse user "a name of letters, digits and _" ;;
    esac
    case "$(printf %s "$user" | tr A-Z a-z)" in
        root | mysql | public) refuse user "no user of the server itself" ;;
    esac
    # In quotes for SQL: whatever stands in the configuration stays one text.
    password=$(setting password)
    password=$(printf %s "$password" | sed "s/[\\\\']/\\\\&/g")
}

grant() {
    ask <<SQL
CREATE DATABASE IF NOT EXISTS \`$database\` CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS '$user'@'%';
ALTER USER '$user'@'%' IDENTIFIED BY '$password';
GRANT ALL ON \`$pattern\`.* TO '$user'@'%';
SQL
}

start() {
    read_names
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
    echo "the database $database is there for $user"
}

stop() {
    if answers; then mariadb-admin --socket=$socket shutdown; fi
}

case "$1" in
    install) install_packages ;;
    configure | start | stop) "$1" ;;
    *) echo "mariadb-server.sh: unknown action $1" >&2; exit 2 ;;
esac
