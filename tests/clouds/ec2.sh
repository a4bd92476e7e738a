# EC2 as the stand-in of the tests gives it, with guests for its instances. Others read this file; see lib.sh.

provider_type=aws
ssh_user=debian
stand_in=$support/clouds/ec2_stand_in.py
key_id=AKIACOOPERAGECLOUDS1
key_secret=the-secret-of-the-clouds-stage

endpoint() { echo "http://127.0.0.1:$(cat "$state/port")"; }
guests_follow() { echo ec2 "$(endpoint)"; }
control() { curl -sS --fail-with-body --max-time 30 "$(endpoint)/-/$1" "${@:2}"; }

start_cloud() {
    local first
    stop_cloud
    mkdir -p "$state"
    # Its packages come from a network that the cloud has not.
    python3 -c "import sys; sys.path.insert(0, '$support'); import python_packages as p; p.environment('ec2-python', '$support/clouds/ec2_requirements.txt')"
    # shellcheck disable=SC2016
    setsid unshare --net --pid --fork --kill-child bash -c 'ip link set lo up; sleep infinity | "$@" >"$0/port" & echo $! >"$0/service"; while true; do wait || true; done' \
        "$state" "$stand_in" "$key_id" "$key_secret" </dev/null >"$state/log" 2>&1 &
    first=$(first_process $!) || return 1
    record_pid "$state" "$first"
    for _ in $(seq 600); do
        if [ -s "$state/port" ]; then return; fi
        pid_in "$state" >/dev/null || break
        sleep 0.1
    done
    echo "FAILED: the stand-in does not start: $(tail -n 5 "$state/log")" >&2
    return 1
}
stop_cloud() {
    end_cloud "$state"
    rm -f "$state/port" "$state/log"
}

provider_fields() {
    jq -n --arg endpoint "$(endpoint)" --arg id "$key_id" --arg secret "$key_secret" \
        '{api_user: $id, api_password: $secret, aws_region: "us-east-1", api_endpoint: $endpoint, ssh_key_resource: "tests", ssh_keypair: "",
        security_groups: "", aws_root_ebs_size: "20"}'
}
hardware_entry() { echo '{"flavor": "t3.small"}'; }
image_entry() { control images | jq --arg user "$ssh_user" '{image: ([.[] | select(.type == "ebs" and .architecture == "x86_64" and (.name | test("debian|ubuntu")))][0].id), sshuser: $user}'; }

things_in_cloud() {
    control state | jq -r 'to_entries[] | .key as $region | .value |
        (.instances[] | select(.state != "terminated") | "server \($region) \(.id)"),
        (.volumes[]? | "disk \($region) \(.id)"), (.interfaces[]? | "port \($region) \(.id)"), (.groups[]? | select(.name != "default") | "group \($region) \(.id) \(.name)"),
        (.keys[]? | "key \($region) \(.name)"), (.addresses | if type == "array" then .[] | "address \($region) \(.)" else empty end)'
}
limit_servers() { control set -d "{\"instance_limit\": $1}" >/dev/null; }
no_limit() { control set -d '{"instance_limit": 0}' >/dev/null; }
words_of_limit='limit'

# The hypervisor breaks: an instance that boots ends.
break_a_server() {
    local id
    for _ in $(seq 480); do
        id=$(control state | jq -r '[.[].instances[] | select(.state == "pending" or .state == "running")][0].id // empty')
        if [ -n "$id" ]; then
            control reclaim -d "{\"instance\": \"$id\"}" >/dev/null
            echo "$id" && return
        fi
        sleep 0.25
    done
    return 1
}

begin_outage() { signal_stand_in STOP; }
end_outage() { signal_stand_in CONT; }
outage_is='the API takes connections and says nothing'
signal_stand_in() {
    local process
    for process in $(pgrep -f "^[^ ]*python[^ ]* $stand_in $key_id"); do
        if [ "$(readlink "/proc/$process/ns/net")" = "$(readlink "/proc/$(pid_in "$state")/ns/net")" ]; then kill "-$1" "$process"; fi
    done
}

no_room() {
    control set -d '{"no_capacity": ["t3.large/*"]}' >/dev/null
    echo '{"flavor": "t3.large"}'
}
words_of_no_room='capacity|room'

cloud_in_numbers() {
    echo "peer moto, calls made $(control calls | jq '[.operations[]] | add // 0'), refused by the judge $(control calls | jq '.refused | length')"
}

# botocore LINES: what these lines of Python print, with `ec2` the real client
botocore() {
    "$(dirname "$kept")/ec2-python/bin/python" - "$@" <<PY
import sys
import boto3
ec2 = boto3.client("ec2", region_name="us-east-1", endpoint_url="$(endpoint)", aws_access_key_id="$key_id", aws_secret_access_key="$key_secret")
$lines
PY
}

make_server() {  # make_server NAME USER-DATA: id, private and public address
    local lines='
import time
image = next(one for one in ec2.describe_images()["Images"] if one["RootDeviceType"] == "ebs" and one["Architecture"] == "x86_64")
tags = [{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": sys.argv[1]}]}]
made = ec2.run_instances(ImageId=image["ImageId"], InstanceType="t3.small", MinCount=1, MaxCount=1, UserData=sys.argv[2], TagSpecifications=tags)
name = made["Instances"][0]["InstanceId"]
while True:
    one = ec2.describe_instances(InstanceIds=[name])["Reservations"][0]["Instances"][0]
    if one["State"]["Name"] == "running":
        break
    time.sleep(0.2)
print(name, one["PrivateIpAddress"], one["PublicIpAddress"])'
    botocore "$@"
}
remove_server() {
    local lines='ec2.terminate_instances(InstanceIds=[sys.argv[1]])'
    botocore "$1" >/dev/null
}
