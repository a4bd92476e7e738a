#!/usr/bin/env bash
# Logs are rotated by what `up` wrote for logrotate: what was written is kept, nobody is told, and everybody goes on.
. "$(dirname "$0")/lib.sh"

log=$dir/log/provisioner.log
[ -s "$log" ] || die "the provisioner has written nothing yet"
before=$(wc -c <"$log")
logrotate --force --state "$dir/run/logrotate.state" "$dir/etc/logrotate"

[ "$(wc -c <"$log.1")" -ge "$before" ] || die "what was written before is not kept"
[ "$(wc -c <"$log")" -lt "$before" ] || die "the log still has what was copied away"
id=$(make_cluster rotated web 3)
delete_cluster "$id"
grep -q "task.done" "$log" || die "the provisioner does not write on"
[ "$(tr -d '\0' <"$log" | wc -c)" = "$(wc -c <"$log")" ] || die "the log begins with a hole"
[ -e "$dir/log/nginx.log" ] && [ -e "$dir/log/web.log" ] || die "a log is gone"
echo "1 passed, 0 failed"
