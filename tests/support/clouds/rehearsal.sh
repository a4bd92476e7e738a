# A stand-in for DigitalOcean beside a set of everything, whose machines are guests: sessions to them are simulated (provisioner/simulation,
# "Guests"), so that a cluster of hundreds of machines goes its whole way. Others read this file, after job/lib.sh.

stand_in=$repo/tests/support/clouds/digitalocean_stand_in.py

# begin_rehearsal SETTINGS: the stand-in with these members of its settings, and guests. Its judge is not asked: its schemas take longer than
# everything else of a call, and other tests ask it.
begin_rehearsal() {
    rehearsal=$(mktemp -d)
    COOPERAGE_DIGITALOCEAN_SCHEMA=/nonexistent "$stand_in" < <(sleep infinity & echo $! >"$rehearsal/sleep" && wait) \
        >"$rehearsal/port" 2>"$rehearsal/log" &
    stand_in_is=$!
    for _ in $(seq 1200); do
        if [ -s "$rehearsal/port" ]; then break; fi
        sleep 0.1
    done
    [ -s "$rehearsal/port" ] || die "the stand-in does not start: $(tail -n 5 "$rehearsal/log")"
    control settings -d "$1" >/dev/null
    control add_key -d '{"name": "rehearsal", "public_key": "ssh-ed25519 AAAA"}' >/dev/null
    "${as_daemon[@]}" mkdir -p "$dir/simulated/guests"
}

end_rehearsal() {
    kill "$stand_in_is" "$(cat "$rehearsal/sleep")" 2>/dev/null || true
    wait "$stand_in_is" 2>/dev/null || true
    rm -rf "$rehearsal" "$dir/simulated/guests"
}

control() { curl -sS --fail-with-body --max-time 60 "http://127.0.0.1:$(cat "$rehearsal/port")/-/$1" "${@:2}"; }

# use_rehearsal FIELDS: the provider "rehearsal" with these fields beside the usual ones, and the template "rehearsal": a service whose
# actions take no time
use_rehearsal() {
    put providers/rehearsal "$(jq -n --argjson own "$1" --arg endpoint "http://127.0.0.1:$(cat "$rehearsal/port")" \
        '{name: "rehearsal", providertype: "digitalocean", provisioner: ({api_password: "dop_v1_good", digitalocean_region: "nyc3",
          ssh_keypair: "rehearsal", cloud_init: "false", api_endpoint: $endpoint} + $own)}')"
    put hardwaretypes/rehearsal '{"name": "rehearsal", "providermap": {"rehearsal": {"flavor": "s-1vcpu-1gb"}}}'
    put imagetypes/rehearsal '{"name": "rehearsal", "providermap": {"rehearsal": {"image": "debian-12-x64", "sshuser": "root"}}}'
    put services/rehearsal '{"name": "rehearsal", "dependencies": {"provides": [], "conflicts": []}, "provisioner": {"actions": {
        "install": {"type": "simulated", "fields": {}}, "start": {"type": "simulated", "fields": {}}}}}'
    put clustertemplates/rehearsal '{"name": "rehearsal", "defaults": {"services": ["rehearsal"], "provider": "rehearsal",
        "hardwaretype": "rehearsal", "imagetype": "rehearsal"}, "compatibility": {"services": ["rehearsal"]}}'
}
