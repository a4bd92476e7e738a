#!/usr/bin/env bash
# One service whose actions are done by three automators, shell, Ansible and Puppet, in one job on real hosts: each of them
# installs its tool, gets its resources from the API and leaves a trace of what it was told of the cluster.
. "$(dirname "$0")/lib.sh"

need_in_root ansible-core puppet-agent

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

mkdir -p "$files"/{mixed_role/tasks,mixed_role/templates,mixed/manifests}
cat >"$files/mixed_role/tasks/main.yml" <<'YAML'
- name: leave a trace
  ansible.builtin.template: { src: trace.j2, dest: /var/log/mixed-ansible }
- name: belongs to another action
  ansible.builtin.command: /bin/false
  tags: [start]
YAML
echo "{{ cooperage_action }}: {{ mixed.title }} {{ hostvars[groups['mixed-db'][0]].ansible_host }} {{ extra }} {{ mixed.long | length }}" \
    >"$files/mixed_role/templates/trace.j2"
cat >"$files/mixed.yml" <<'YAML'
- hosts: mixed-app
  become: true
  roles: [mixed_role]
YAML
cat >"$files/mixed/manifests/init.pp" <<'PUPPET'
class mixed(String $extra) {
  $databases = $facts['cooperage']['nodes'].filter |$name, $node| { 'mixed-db' in $node['services'] }
  $address = $databases.values[0]['ipaddresses']['access_v4']
  file { '/var/log/mixed-puppet':
    content => "${facts['cooperage']['action']}: ${lookup('mixed.title')} ${address} ${extra} ${lookup('mixed.long').length}\n",
  }
}
PUPPET
cat >"$files/mixed.sh" <<'SHELL'
long=$(coopr_lookup_key config/cluster/mixed/long)
echo "$COOPERAGE_ACTION: $(coopr_lookup_key config/cluster/mixed/title) $(coopr_lookup_key config/cluster/mixed/database) ${#long}" \
    >/var/log/mixed-shell
SHELL
echo 'mixed::extra: "uploaded"' >"$files/common.yaml"
tar -czf "$files/role.tar.gz" -C "$files" mixed_role
tar -czf "$files/module.tar.gz" -C "$files" mixed
upload shell/scripts/mixed.sh "$files/mixed.sh"
upload ansible/roles/mixed_role "$files/role.tar.gz"
upload ansible/playbooks/mixed.yml "$files/mixed.yml"
upload puppet/modules/mixed "$files/module.tar.gz"
upload puppet/hiera/common.yaml "$files/common.yaml"
answer admin 200 -X POST "$url/v2/plugins/sync" >/dev/null

put services/mixed-db '{"name":"mixed-db","dependencies":{"provides":[],"conflicts":[]},"provisioner":{"actions":{
    "install":{"type":"shell","fields":{"script":"true"}}}}}'
cat >"$files/service.json" <<'JSON'
{"name": "mixed-app", "dependencies": {"provides": [], "conflicts": [], "install": {"requires": ["mixed-db"], "uses": []}}, "provisioner": {"actions": {
    "install": {"type": "shell", "fields": {"script": "mixed.sh"}},
    "configure": {"type": "ansible", "fields": {"playbook": "mixed.yml", "extra_vars": "{\"extra\": \"given\"}"}},
    "start": {"type": "puppet", "fields": {"classes": "mixed"}}}}}
JSON
put services/mixed-app "@$files/service.json"
# What is long and the same on all nodes goes to each of them by itself, once.
long=$(printf '%9000s' '' | tr ' ' x)
put clustertemplates/mixed '{"name":"mixed","defaults":{"services":["mixed-db","mixed-app"],"provider":"local",
    "hardwaretype":"small","imagetype":"debian12",
    "config":{"mixed":{"title":"it is {{ braced }} %{too}","database":"%ip.access_v4.service.mixed-db%",
        "long":"%map(host.service.mixed-db,'"'$long'"')%"}}},
    "constraints":{"layout":{"cantcoexist":[["mixed-db","mixed-app"]]},"services":{
        "mixed-db":{"quantities":{"min":1,"max":1}},"mixed-app":{"quantities":{"min":1,"max":1}}}}}'

id=$(make_cluster three-automators mixed 2 600)

# address_of SERVICE
address_of() {
    answer user 200 "$url/v2/clusters/$id" |
        jq -r --arg name "$1" '.nodes[] | select(.services[].name == $name) | .properties.ipaddresses.access_v4'
}
application=$(address_of mixed-app)
database=$(address_of mixed-db)
if [ -z "$application" ] || [ -z "$database" ]; then die "the cluster has no two nodes: $(as user "$url/v2/clusters/$id")"; fi

# expect TOOL LINE: the trace of that tool
expect() {
    local trace
    trace=$(on "$application" "$id" "cat /var/log/mixed-$1") || die "$1 left no trace"
    [ "$trace" = "$2" ] || die "$1 left '$trace' instead of '$2'"
}
expect shell "install: it is {{ braced }} %{too} $database 9000"
expect ansible "configure: it is {{ braced }} %{too} $database given 9000"
expect puppet "start: it is {{ braced }} %{too} $database uploaded 9000"
texts=$(on "$application" "$id" "stat -c '%a %U %s' /var/cache/cooperage/texts/* | sort -u")
# As JSON, the same marked as text for Ansible, and as a line of the shell's table of values.
[ "$texts" = $'600 root 9002\n600 root 9023\n600 root 9027' ] || die "the texts of all nodes are '$texts'"

# Nothing of what the tools were told stays on the node, and no agent of theirs runs.
left=$(on "$application" "$id" "find /var/cache/cooperage/*/tasks -mindepth 1; ps -e -o args= | grep '[p]uppet agent' || true")
[ -z "$left" ] || die "after the job there is still: $left"

# A new configuration reaches them all the same way, tools and resources being there already.
answer user 200 -X PUT "$url/v2/clusters/$id/config" -d '{"config":{"mixed":{"title":"new","database":"x","long":"short"}},"restart":true}' >/dev/null
status=$(wait_until_settled "$id" 300)
[ "$status" = active ] || die "with a new configuration the cluster is $status: $(explain "$id")"
expect ansible "configure: new $database given 5"
expect puppet "start: new $database uploaded 5"

delete_cluster "$id"

# What a tool refuses reaches people: which step, its exit code, the tool's own words.
jq '.provisioner.actions.start.fields.classes = "mixed::nowhere"' "$files/service.json" >"$files/broken.json"
put services/mixed-app "@$files/broken.json"
id=$(answer user 200 -X POST "$url/v2/clusters" -d '{"name":"broken","clusterTemplate":"mixed","numMachines":2}' | jq -r .id)
message=$(reason_of "$id" start)
case $message in
    'start mixed-app ended with exit code 1: Error: Puppet: Evaluation Error: '*'Could not find class ::mixed::nowhere'*) ;;
    *) die "the reason reads '$message'" ;;
esac
answer user 200 -X POST "$url/v2/clusters/$id/abort" >/dev/null
wait_until_settled "$id" 120 >/dev/null
delete_cluster "$id"
echo "1 passed, 0 failed"
