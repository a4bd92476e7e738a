#!/usr/bin/env bash
# servers_become_hosts.sh CLOUD: what the other tests stand on, by the cloud's own client: a server gets a host with the server's user data
# and addresses, which proves itself by the host key in there; it goes with its server.
. "$(dirname "$0")/lib.sh"
enter_the_cloud

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ssh-keygen -q -t ed25519 -N '' -C login -f "$work/login"
ssh-keygen -q -t ed25519 -N '' -C host -f "$work/host"
user_data() {
    jq -n --rawfile private "$work/host" --rawfile public "$work/host.pub" --rawfile login "$work/login.pub" '
        {hostname: "web1", fqdn: "web1.demo", manage_etc_hosts: "localhost", ssh_keys: {ed25519_private: $private, ed25519_public: $public},
        users: ["default", {name: "cooperage", sudo: "ALL=(ALL) NOPASSWD:ALL", shell: "/bin/bash", lock_passwd: true,
            ssh_authorized_keys: [$login]}], runcmd: [["touch", "/ran"]]}' | sed '1s/^/#cloud-config\n/'
}

began=$SECONDS
read -r server fixed floating <<<"$(make_server web1 "$(user_data)")"
[ -n "$floating" ] || die "there is no server with two addresses: $server $fixed $floating"
for address in "$fixed" "$floating"; do echo "$address $(cut -d' ' -f1,2 "$work/host.pub")"; done >"$work/known"
log_in() {
    ssh -n -q -i "$work/login" -o BatchMode=yes -o ConnectTimeout=2 -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$work/known" \
        -o GlobalKnownHostsFile=/dev/null "cooperage@$1" "${@:2}"
}
for address in "$fixed" "$floating"; do
    for _ in $(seq 300); do
        if log_in "$address" true; then break; fi
        sleep 0.2
    done
    [ "$(log_in "$address" 'hostname; sudo -n id -u' | tr '\n' ' ')" = "web1 0 " ] || die "at $address nobody is let in: $(cat "$state/guests.log")"
    echo "$address lets us in $((SECONDS - began)) s after it was asked for"
done
for _ in $(seq 300); do
    if log_in "$fixed" 'test -e /ran'; then break; fi
    sleep 0.2
done
log_in "$fixed" 'test -e /ran' || die "the last stage of cloud-init did not run"
[ "$(log_in "$fixed" 'ls /etc/ssh/*_key.pub')" = /etc/ssh/ssh_host_ed25519_key.pub ] || die "there are host keys that nobody has given"
if log_in "$fixed" 'sudo -n date -s "2001-01-01"' >/dev/null 2>&1; then die "a guest can set the clock of this machine"; fi

remove_server "$server"
nothing_is_left
passed
