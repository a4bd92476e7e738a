#!/bin/sh
# container-files.sh SERVICE: the files a container mounts, written out of the cluster's configuration. A container that
# runs is told to read them again.
set -eu

setting() { coopr_lookup_key "config/cluster/site/$1"; }
escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g'; }

reload() {
    for engine in docker podman; do
        command -v $engine >/dev/null || continue
        for id in $($engine ps -q --filter "label=cooperage.cluster=$COOPERAGE_CLUSTER_ID" \
            --filter "label=cooperage.service=$COOPERAGE_SERVICE"); do
            $engine exec "$id" nginx -s reload
        done
    done
}

case "$1" in
    container-site)
        mkdir -p /srv/container-site
        title=$(setting title | escaped)
        cat >/srv/container-site/index.html <<HTML
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>$title</title>
<h1>$title</h1>
<p>Served by a container on <b>$COOPERAGE_HOSTNAME</b>.</p>
</html>
HTML
        ;;
    container-balancer)
        servers=$(setting servers)
        # Each becomes a part of nginx's configuration. An asterisk is refused, too; it names no files.
        set -f
        for server in $servers; do
            case "$server" in
                -* | *[!0-9A-Za-z.:_-]*)
                    echo "container-files.sh: config/cluster/site/servers must be addresses with ports, separated by spaces" >&2
                    exit 2
                    ;;
            esac
        done
        mkdir -p /srv/container-balancer
        {
            echo "upstream site {"
            echo "    zone site 64k;"
            for server in $servers; do echo "    server $server max_fails=1 fail_timeout=5s;"; done
            cat <<'CONF'
}
server {
    listen 80;
    location / {
        proxy_pass http://site;
        proxy_connect_timeout 2s;
    }
}
CONF
        } >/srv/container-balancer/default.conf
        reload
        ;;
    *) echo "container-files.sh: unknown service $1" >&2; exit 2 ;;
esac
