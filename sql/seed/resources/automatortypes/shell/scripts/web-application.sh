#!/bin/sh
# The application server: a small Python program on port 8080 that reads one row per request and builds the page from it.
set -eu
export DEBIAN_FRONTEND=noninteractive

home=/opt/web-application
pid_file=/run/web-application.pid

install_packages() {
    if [ -e /usr/lib/python3/dist-packages/pymysql ]; then return; fi
    apt-get install -y --no-install-recommends python3 python3-pymysql
}

# Where the database is: a name or an address, and nothing else that the configuration's user writes.
database_host() {
    host=$(coopr_lookup_key config/cluster/web/database_host)
    case "$host" in
        '' | -* | *[!0-9A-Za-z.:_-]*)
            echo "web-application.sh: config/cluster/web/database_host must be a name or an address" >&2
            exit 78
            ;;
    esac
}

configure() {
    database_host
    password=$(coopr_lookup_key config/cluster/web/database_password)
    # Each setting is a line: a second line of the password would be another setting.
    case "$password" in
        *[[:cntrl:]]*)
            echo "web-application.sh: config/cluster/web/database_password must be one line without control characters" >&2
            exit 78
            ;;
    esac
    mkdir -p "$home"
    umask 077
    printf '%s\n' "host=$host" "password=$password" "server=$(hostname)" >"$home/settings"
    cat >"$home/server.py" <<'PYTHON'
import html
import http.server
import pymysql

with open("/opt/web-application/settings", encoding="utf-8") as file:
    settings = dict(line.rstrip("\n").split("=", 1) for line in file)


def read_row():
    connection = pymysql.connect(host=settings["host"], user="web", password=settings["password"],
                                 database="web", connect_timeout=3, read_timeout=3)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT title, written_at, @@hostname FROM page WHERE id = 1")
            return cursor.fetchone()
    finally:
        connection.close()


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            title, written_at, database = (html.escape(str(value)) for value in read_row())
            status, body = 200, (
                f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
                f"<h1>{title}</h1><p>Built by application server <b>{html.escape(settings['server'])}</b> "
                f"from a row that database <b>{database}</b> wrote at {written_at}.</p></html>\n")
        except pymysql.MySQLError as error:
            status, body = 503, f"The database does not answer: {html.escape(str(error))}\n"
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("0.0.0.0", 8080), Page).serve_forever()
PYTHON
}

wait_for_database() {
    database_host
    for _ in $(seq 100); do
        if python3 -c "import socket, sys; socket.create_connection((sys.argv[1], 3306), 2)" "$host" 2>/dev/null; then
            echo "the database on $host answers"
            return
        fi
        sleep 0.2
    done
    echo "the database on $host does not answer" >&2
    exit 1
}

running() { [ -e "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null; }

start() {
    if running; then return; fi
    setsid python3 "$home/server.py" </dev/null >/var/log/web-application.log 2>&1 &
    echo $! >"$pid_file"
    for _ in $(seq 100); do
        if python3 -c "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080/', timeout=3).status)" 2>/dev/null; then return; fi
        sleep 0.1
    done
    echo "the application server does not answer; its last words:" >&2
    tail -n 20 /var/log/web-application.log >&2
    exit 1
}

stop() {
    if running; then kill "$(cat "$pid_file")"; fi
    rm -f "$pid_file"
}

case "$1" in
    install) install_packages ;;
    initialize) wait_for_database ;;
    configure | start | stop) "$1" ;;
    *) echo "web-application.sh: unknown action $1" >&2; exit 2 ;;
esac
